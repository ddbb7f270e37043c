import { backoff, vary } from './backoff';
import { createBreaker } from './breaker';
import { type Call, isRepeatable, meaningOf, type Outcome } from './fate';
import type { Exchange } from './http';
import { createLine } from './line';
import type { Pace } from './pace';
import { isWrite, type ServiceRequest } from './request';
import { notSentError, ServiceError } from './serviceError';

/** How requests are sent. */
export interface ClientSettings {
	maxConcurrentRequests: number;
	maxRetries: number;
	/** Shared by all clients of a run. */
	pace: Pace;
}

/** Sends the requests of one run with one credential. */
export type Client = ReturnType<typeof createClient>;

/**
 * Creates the client for one run and one service. Its requests wait in one line, and share what they learn about the
 * service.
 * @param onFailedWrite called when a write has failed for good, before another request takes its place
 */
export function createClient(
	exchange: Exchange,
	{ maxConcurrentRequests, maxRetries, pace }: ClientSettings,
	onFailedWrite?: () => void,
) {
	const ended = new AbortController();
	const end = () => ended.abort();
	let givenUp: Outcome | undefined;
	const breaker = createBreaker();
	const line = createLine(maxConcurrentRequests, pace, breaker, ended.signal);

	const mayRetry = ({ request, tries }: Call, { fate }: Outcome): boolean => {
		if (maxRetries === 0 || !isRepeatable(request, fate)) return false;
		// What was not processed is sent until the run gives up. Other reads may ask for what the service cannot give.
		return tries <= maxRetries || meaningOf(fate).again !== 'reads';
	};
	/** Sends the request once; returns how long it waits until it is sent again, undefined if it is not. */
	const sendOnce = async (call: Call): Promise<number | undefined> => {
		if (ended.signal.aborted) return undefined;
		const { request } = call;
		call.tries++;
		call.sentAt = Date.now();
		const start = performance.now();
		const outcome = await exchange(request);
		const { effect, answers } = meaningOf(outcome.fate);
		call.outcome = outcome;
		call.isUnknown ||= isWrite(request) && effect === 'unknown';
		if (answers) line.speedUp();
		if (outcome.status === 429) line.slowDown();
		const state = breaker.note(outcome, performance.now() - start);
		if (state === 'over') {
			givenUp ??= outcome;
			end();
		}
		// While the breaker is open, all wait.
		if (mayRetry(call, outcome)) return state === 'closed' ? vary(backoff(call.tries)) : 0;
		if (outcome.fate !== 'done' && isWrite(request)) onFailedWrite?.();
		return undefined;
	};

	return {
		/**
		 * Sends a request, again if that can do no harm, until it succeeds.
		 * @returns the body, undefined if it is empty, and when it was sent, in milliseconds since 1970
		 * @throws ServiceError for every other outcome, also if the run was over before it was sent
		 */
		send: async (request: ServiceRequest) => {
			const call: Call = { request, tries: 0, sentAt: 0, isUnknown: false };
			let waitMs: number | undefined = 0;
			do {
				await line.take(waitMs, call.tries > 0);
				waitMs = await sendOnce(call).finally(line.leave);
			} while (waitMs !== undefined);
			const { outcome, sentAt, isUnknown } = call;
			if (!outcome) throw notSentError(givenUp);
			// Bodies of many failures could fill the memory.
			const { json, ...failure } = outcome;
			if (failure.fate === 'done') return { json, sentAt };
			throw new ServiceError({ ...failure, isUnknown });
		},
		/** Ends the run: nothing more is sent, and requests in flight are completed. */
		end,
	};
}
