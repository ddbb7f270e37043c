import { sleep } from 'n8n-workflow';
import type { Transport } from './http';
import { combineOutcomes, type Outcome } from './outcome';
import { createPacer, type PacerSettings } from './pacer';
import { isWrite, type ServiceRequest } from './request';
import { calculateDelay, shouldRetry } from './retry';
import { CANCELLED_ERROR, ServiceError, unsentAfter } from './serviceError';

/** Sends the requests of one run with one credential. */
export type Client = ReturnType<typeof createClient>;

/** Creates the client for one run and one service. Its requests share one pacer, and so what they learn about the service. */
export function createClient(transport: Transport, settings: PacerSettings) {
	/** Aborts at the end of the run. The reason is the error of what is not sent any more. */
	const ended = new AbortController();
	// One listener for all that wait, since Node.js warns of many.
	const whenEnded = new Promise((resolve) => ended.signal.addEventListener('abort', resolve));
	const pacer = createPacer(settings, ended.signal);

	return {
		/**
		 * Sends a request, again if that can do no harm, until it succeeds or the run has ended.
		 * @returns the body, undefined if it is not JSON, and when it was sent, in milliseconds since 1970
		 * @throws ServiceError for every other outcome, also if the run had ended before it was sent
		 */
		send: async (request: ServiceRequest) => {
			let error: ServiceError | undefined;
			for (let attempt = 1; ; attempt++) {
				await pacer.acquire(attempt > 1);
				if (ended.signal.aborted) throw error ?? (ended.signal.reason as ServiceError);
				const sentAt = Date.now();
				const startedAt = performance.now();
				// An error keeps no body: those of many failures could fill the memory.
				const { json, ...result } = await transport(request);
				if (pacer.report(result, startedAt)) ended.abort(unsentAfter(result));
				if (result.outcome === 'done') {
					pacer.release();
					return { json, sentAt };
				}
				const outcome = outcomeOfAttempt(request, result.outcome);
				error = new ServiceError(result, combineOutcomes(error?.outcome, outcome));
				if (!pacer.allowsRetry(result) || !shouldRetry(request, result)) {
					// Not before the caller has the error: it may end the run.
					void sleep(0).then(pacer.release);
					throw error;
				}
				pacer.release();
				if (!pacer.isPaused()) await Promise.race([sleep(calculateDelay(attempt)), whenEnded]);
			}
		},
		/** Ends the run: nothing more is sent, and what waits fails with this error. */
		end: (error = CANCELLED_ERROR) => ended.abort(error),
	};
}

/** Returns the outcome of an attempt. A read changes nothing, so it is never unknown. */
function outcomeOfAttempt(request: ServiceRequest, outcome: Outcome): Outcome {
	return outcome === 'unknown' && !isWrite(request) ? 'notProcessed' : outcome;
}
