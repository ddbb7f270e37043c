/** Returns a message for a failure: n8n takes an execution that says "canceled" for a cancelled one, and offers no Retry. */
export const failureMessage = (message: string): string =>
	message.replaceAll('canceled', 'Canceled');
