import { failureMessage } from '../../nodes/ClassEnrollment/values/failureMessage';

/** An error that ends an execution. Upper and lower case of words, codes, and addresses don't count anywhere. */
export const failure = (message: string): Error => new Error(failureMessage(message));
