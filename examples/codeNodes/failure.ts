/**
 * An error that ends an execution. One that says "canceled" is a cancelled execution for n8n, which offers no Retry. Upper and
 * lower case of words, codes, and addresses don't count anywhere.
 */
export const failure = (message: string): Error =>
	new Error(message.replaceAll('canceled', 'Canceled'));
