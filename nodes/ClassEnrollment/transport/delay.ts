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
export async function delay(milliseconds: number, signal: AbortSignal): Promise<void> {
	if (signal.aborted) throw new CancelledError();
	await new Promise<void>((resolve, reject) => {
		const cancel = () => reject(new CancelledError());
		signal.addEventListener('abort', cancel);
		void sleep(milliseconds).then(() => {
			signal.removeEventListener('abort', cancel);
			resolve();
		});
	});
}
