// The Code node Read Notification of Ticto.
import { outputOf } from '../readInNode';
import { rulesOf } from './rules';

export const output = outputOf(rulesOf);
