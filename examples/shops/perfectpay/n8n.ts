// The Code node Read Notification of PerfectPay.
import { outputOf } from '../readInNode';
import { rulesOf } from './rules';

export const output = outputOf(rulesOf);
