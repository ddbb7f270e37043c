import { failureMessage } from '../../nodes/ClassEnrollment/values/failureMessage';

/**
 * An error that ends an execution with a message for its owner. n8n would add the line of the code to it, which it finds in the
 * stack. `failureMessage` may write a word, a code, or an address in another case, which doesn't count anywhere.
 */
export function failure(message: string): Error {
	const error = new Error(failureMessage(message));
	error.stack = '';
	return error;
}
