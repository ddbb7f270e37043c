import { type Call, meaningOf, type Outcome } from './fate';
import type { Exchange } from './http';
import { createPatience } from './patience';
import { isWrite, type ServiceRequest } from './request';
import { notSentError, ServiceError } from './serviceError';
import { createTurns, type Pace } from './turns';

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
 * Creates the client for one run and one service. Its requests share the limit, wait together when the service asks
 * one of them to, and share what they learn about an outage.
 * @param classList a request that succeeds whenever the service is at work
 * @param onFailedWrite called when a write has failed for good, before another request takes its place
 */
export function createClient(
	exchange: Exchange,
	{ maxConcurrentRequests, maxRetries, pace }: ClientSettings,
	classList: ServiceRequest,
	onFailedWrite?: () => void,
) {
	const ended = new AbortController();
	const end = () => ended.abort();
	// The pages of a list are not announced, so those sent count, too.
	let expected = 0;
	let requests = 0;
	let givenUp: Outcome | undefined;
	const turns = createTurns(maxConcurrentRequests, pace, ended.signal);
	const patience = createPatience(
		maxRetries,
		turns,
		() => Math.max(expected, requests) > 1,
		async () => await exchange(classList),
		(outcome) => {
			givenUp ??= outcome;
			end();
		},
	);

	/** Sends the request once; returns how long it waits until it is sent again, undefined if it is not. */
	const sendOnce = async (call: Call): Promise<number | undefined> => {
		if (ended.signal.aborted) return undefined;
		// The class list takes this turn, and the request another one.
		const asking = patience.askFirst();
		if (asking) return await asking.then(() => 0);
		call.tries++;
		call.sentAt = Date.now();
		const start = performance.now();
		const outcome = await exchange(call.request);
		call.tookMs = performance.now() - start;
		call.outcome = outcome;
		call.isUnknown ||= isWrite(call.request) && meaningOf(outcome.fate).effect === 'unknown';
		const waitMs = patience.note(call, outcome);
		if (waitMs === undefined && outcome.fate !== 'done' && isWrite(call.request)) onFailedWrite?.();
		return waitMs;
	};

	return {
		/** Announces so many requests, since one that fails is tried more often in a run with others. */
		expect: (count: number) => {
			expected += count;
		},
		/**
		 * Sends a request, again if that can do no harm, until it succeeds.
		 * @returns the body, undefined if it is empty, and when it was sent, in milliseconds since 1970
		 * @throws ServiceError for every other outcome, also if the run was over before it was sent
		 */
		send: async (request: ServiceRequest) => {
			const call: Call = { request, tries: 0, sentAt: 0, tookMs: 0, isUnknown: false };
			requests++;
			let waitMs: number | undefined = 0;
			do {
				await turns.take(waitMs);
				waitMs = await sendOnce(call).finally(turns.leave);
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
		/** Whether the token and the address are good: something has got through, or the class list has answered. */
		isAccessGood: patience.isAccessGood,
	};
}
