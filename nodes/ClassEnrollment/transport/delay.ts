import { sleep, UserError } from 'n8n-workflow';

/** Thrown when a delay or a request is given up because the execution was cancelled. */
export class CancelledError extends UserError {
	constructor() {
		super('The execution was cancelled');
	}
}

/**
 * Waits, but no longer than the execution runs.
 * @throws CancelledError at once when `signal` aborts
 */
export async function delay(milliseconds: number, signal?: AbortSignal): Promise<void> {
	if (signal?.aborted) throw new CancelledError();
	let stopListening = () => {};
	const cancelled = new Promise<never>((_resolve, reject) => {
		const onAbort = () => reject(new CancelledError());
		signal?.addEventListener('abort', onAbort, { once: true });
		stopListening = () => signal?.removeEventListener('abort', onAbort);
	});
	try {
		await Promise.race([sleep(milliseconds), cancelled]);
	} finally {
		stopListening();
	}
}
