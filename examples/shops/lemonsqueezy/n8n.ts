// The Code node Read Notification of Lemon Squeezy.
import { outputOf } from '../readInNode';
import { rulesOf } from './rules';

export const output = outputOf(rulesOf);
