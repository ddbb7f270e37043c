import { sleep } from 'n8n-workflow';
import type { Exchange } from './http';
import type { AttemptResult } from './outcome';
import { createPacer, type PacerSettings } from './pacer';
import { isWrite, type ServiceRequest } from './request';
import { calculateDelay, shouldRetry } from './retry';
import { CANCELLED, ServiceError, unsentAfter } from './serviceError';

/** Sends the requests of one run with one credential. */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates the client for one run and one service. Its requests share one pacer, and so what they learn about the service.
 * @param onFailedWrite called when a write has failed and is not retried, before another request can start
 */
export function createClient(
	exchange: Exchange,
	settings: PacerSettings,
	onFailedWrite?: () => void,
) {
	/** Aborts at the end of the run. The reason is the error of what is not sent any more. */
	const ended = new AbortController();
	// One listener for all that wait, since Node.js warns of many.
	const whenEnded = new Promise((resolve) => ended.signal.addEventListener('abort', resolve));
	const pacer = createPacer(settings, ended.signal);

	/** Sends a request once, when the pacer allows it; undefined if the run has ended before. */
	const tryOnce = async (request: ServiceRequest, isRetry: boolean) => {
		await pacer.acquire(isRetry);
		if (ended.signal.aborted) return undefined;
		const sentAt = Date.now();
		const startedAt = performance.now();
		const result = await exchange(request);
		if (pacer.report(result, startedAt)) ended.abort(unsentAfter(result));
		const isRetried = pacer.allowsRetry(result) && shouldRetry(request, result);
		// A failed read ends the run only in `sendRows`: `readClasses` may read in another way.
		if (!isRetried && isWrite(request) && result.outcome !== 'done') onFailedWrite?.();
		pacer.release();
		return { result, sentAt, isRetried };
	};

	return {
		/**
		 * Sends a request, again if that can do no harm, until it succeeds or the run has ended.
		 * @returns the body, undefined if it is not JSON, and when it was sent, in milliseconds since 1970
		 * @throws ServiceError for every other outcome, also if the run had ended before it was sent
		 */
		send: async (request: ServiceRequest) => {
			let failure: AttemptResult | undefined;
			let mayBeDone = false;
			for (let attempt = 1; ; attempt++) {
				const tried = await tryOnce(request, attempt > 1);
				if (!tried) break;
				// Bodies of many failures could fill the memory.
				const { json, ...result } = tried.result;
				if (result.outcome === 'done') return { json, sentAt: tried.sentAt };
				failure = result;
				mayBeDone ||= isWrite(request) && result.outcome === 'unknown';
				if (!tried.isRetried) break;
				if (!pacer.isPaused()) await Promise.race([sleep(calculateDelay(attempt)), whenEnded]);
			}
			if (!failure) throw ended.signal.reason as ServiceError;
			// A read that failed has changed nothing.
			const isFailedRead = !isWrite(request) && failure.outcome === 'unknown';
			const outcome = isFailedRead ? 'notProcessed' : failure.outcome;
			throw new ServiceError(failure, mayBeDone ? 'unknown' : outcome);
		},
		/** Ends the run: nothing more is sent, and what waits fails with this error. */
		end: (error = CANCELLED) => ended.abort(error),
	};
}
