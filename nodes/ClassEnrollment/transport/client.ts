import { mayHaveTakenEffect } from './fate';
import type { Exchange } from './http';
import type { Outcome } from './outcome';
import { type Call, createPatience } from './patience';
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

/** The end of a run, after which nothing more is sent. */
export interface RunEnd {
	/** Aborts at the end. */
	signal: AbortSignal;
	/** Called when a write has failed for good, before another request takes its place. */
	onFailedWrite?: () => void;
}

/** Sends the requests of one run with one credential. */
export interface Client {
	/**
	 * Sends a request, again if that can do no harm, until it succeeds.
	 * @throws ServiceError for every other outcome, also if the run was over before it was sent
	 */
	send: (request: ServiceRequest) => Promise<Success>;
}

export interface Success {
	/** The body; undefined if it is empty. */
	json: unknown;
	/** When the request that succeeded was sent, in milliseconds since 1970. */
	sentAt: number;
}

const NOT_SENT = { tries: 0, sentAt: 0, tookMs: 0, isUnknown: false };

/**
 * Creates the client for one run and one service. Its requests share the limit, wait together when the service asks
 * one of them to, and share what they learn about an outage.
 * @param healthCheck a request that succeeds whenever the service is at work
 */
export function createClient(
	exchange: Exchange,
	{ maxConcurrentRequests, maxRetries, pace }: ClientSettings,
	healthCheck: ServiceRequest,
	{ signal, onFailedWrite }: RunEnd,
): Client {
	const end = new AbortController();
	let requests = 0;
	let givenUp: Outcome | undefined;
	const turns = createTurns(maxConcurrentRequests, pace, end.signal);
	const patience = createPatience(
		maxRetries,
		turns,
		() => requests > 1,
		async () => await exchange(healthCheck),
		(outcome) => {
			givenUp ??= outcome;
			end.abort();
		},
	);
	if (signal.aborted) end.abort();
	else signal.addEventListener('abort', () => end.abort());

	/** Sends the request once; returns how long it waits until it is sent again, undefined if it is not. */
	const sendOnce = async (call: Call): Promise<number | undefined> => {
		if (!end.signal.aborted) await patience.beforeSending();
		if (end.signal.aborted) return undefined;
		call.tries++;
		call.sentAt = Date.now();
		const start = performance.now();
		const outcome = await exchange(call.request);
		call.tookMs = performance.now() - start;
		call.outcome = outcome;
		call.isUnknown ||= mayHaveTakenEffect(call.request, outcome.fate);
		const waitMs = patience.note(call, outcome);
		const hasFailed = waitMs === undefined && outcome.fate !== 'done';
		if (hasFailed && isWrite(call.request)) onFailedWrite?.();
		return waitMs;
	};

	return {
		send: async (request) => {
			const call: Call = { ...NOT_SENT, request };
			requests++;
			for (let waitMs: number | undefined = 0; waitMs !== undefined;) {
				await turns.take(waitMs);
				waitMs = await sendOnce(call).finally(turns.leave);
			}
			const { outcome, sentAt, isUnknown } = call;
			if (outcome?.fate === 'done') return { json: outcome.json, sentAt };
			if (!outcome) throw notSentError(givenUp);
			throw new ServiceError({ ...outcome, isUnknown });
		},
	};
}
