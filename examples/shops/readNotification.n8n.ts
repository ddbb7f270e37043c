// The Code node Read Notification of a shop without rules of its own.
import { outputOf } from './readInNode';

export const output = outputOf();
