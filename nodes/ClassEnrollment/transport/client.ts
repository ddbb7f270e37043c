import { sleep } from 'n8n-workflow';
import { backoff, vary } from './backoff';
import { createBreaker } from './breaker';
import { createGate } from './gate';
import type { Exchange } from './http';
import type { AttemptResult, Classification } from './outcome';
import type { Pace } from './pace';
import { isWrite, type ServiceRequest } from './request';
import { CANCELLED, ServiceError, unsentAfter } from './serviceError';

/** How requests are sent. */
export interface ClientSettings {
	maxConcurrentRequests: number;
	/** How long the run goes on while no request is answered. */
	giveUpAfterMs: number;
	/** Shared by all clients of a run. */
	pace: Pace;
}

/** Sends the requests of one run with one credential. */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates the client for one run and one service. Its requests wait in one queue, and share what they learn about the
 * service.
 * @param onFailedWrite called when a write has failed and must not be sent again, before another request takes its place
 */
export function createClient(
	exchange: Exchange,
	{ maxConcurrentRequests, giveUpAfterMs, pace }: ClientSettings,
	onFailedWrite?: () => void,
) {
	/** Aborts at the end of the run. The reason is the error of what is not sent any more. */
	const over = new AbortController();
	// One listener for all that wait, since Node.js warns of many.
	const whenOver = new Promise((resolve) => over.signal.addEventListener('abort', resolve));
	const breaker = createBreaker(giveUpAfterMs);
	const gate = createGate(maxConcurrentRequests, pace, breaker, over.signal);

	return {
		/**
		 * Sends a request, again if that can do no harm, until it succeeds or the run is over.
		 * @returns the body, undefined if it is not JSON, and when it was sent, in milliseconds since 1970
		 * @throws ServiceError for every other outcome, also if the run was over before it was sent
		 */
		send: async (request: ServiceRequest) => {
			let result: AttemptResult | undefined;
			let isUnknown = false;
			let sentAt = 0;
			for (let tries = 1; ; tries++) {
				await gate.enter(tries > 1);
				if (over.signal.aborted) break;
				sentAt = Date.now();
				const startedAt = performance.now();
				result = await exchange(request);
				isUnknown ||= isWrite(request) && result.outcome === 'unknown';
				const state = breaker.note(result, startedAt);
				if (state === 'over') over.abort(unsentAfter(result));
				const waitMs = Math.max(backoff(tries), result.retryAfterMs ?? 0);
				const isAgain = isRepeatable(request, result) && waitMs <= giveUpAfterMs;
				// Before `leave` lets the next one in. A read ends the run only in `sendRows`: `readClasses` may try it in another way.
				if (!isAgain && isWrite(request) && result.outcome !== 'done') onFailedWrite?.();
				gate.leave(result);
				if (!isAgain) break;
				// While the breaker is open, the wait at the gate takes its place.
				if (state === 'closed') await Promise.race([sleep(vary(waitMs)), whenOver]);
			}
			if (!result) throw over.signal.reason as ServiceError;
			// Bodies of many failures could fill the memory.
			const { json, ...failure } = result;
			if (failure.outcome === 'done') return { json, sentAt };
			// A read that failed has changed nothing.
			const isFailedRead = !isWrite(request) && failure.outcome === 'unknown';
			const outcome = isFailedRead ? 'notProcessed' : failure.outcome;
			throw new ServiceError(failure, isUnknown ? 'unknown' : outcome);
		},
		/** Ends the run: nothing more is sent, and what waits fails with this error. */
		end: (error = CANCELLED) => over.abort(error),
	};
}

function isRepeatable(request: ServiceRequest, { again }: Classification): boolean {
	if (again === 'reads') return !isWrite(request);
	return again === 'all' || (again === 'allButOnceOnly' && !request.isOnceOnly);
}
