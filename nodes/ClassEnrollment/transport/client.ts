import { type Call, createCircuitBreaker } from './circuitBreaker';
import type { Exchange } from './http';
import { isForAll, mayHaveTakenEffect, type Outcome } from './outcome';
import type { Pace } from './pace';
import { isWrite, type ServiceRequest } from './request';
import { createRequestQueue } from './requestQueue';
import type { RunEnd } from './runEnd';
import { CancelledError, notSentError, ServiceError } from './serviceError';

/** How requests are sent. */
export interface ClientSettings {
	maxConcurrentRequests: number;
	maxRetries: number;
	/** Shared by all clients of a run. */
	pace: Pace;
}

/** Sends the requests of one run with one credential. */
export interface Client {
	/**
	 * Sends a request, again if that can do no harm, until it succeeds.
	 * @throws ServiceError for every other outcome, and CancelledError if the run was over before it was sent
	 */
	send: (request: ServiceRequest) => Promise<Success>;
}

export interface Success {
	/** The body; undefined if it is empty. */
	json: unknown;
	/** When the request that succeeded was sent, in milliseconds since 1970. */
	sentAt: number;
}

const NOT_SENT = { tries: 0, hasCompany: false, step: 0, sentAt: 0, isUnknown: false };

/**
 * Creates the client for one run and one service. Its requests share the limit, wait together when the service asks
 * one of them to, and share what they learn about an outage.
 * @param healthCheck a request that succeeds whenever the service is at work
 */
export function createClient(
	exchange: Exchange,
	{ maxConcurrentRequests, maxRetries, pace }: ClientSettings,
	healthCheck: ServiceRequest,
	runEnd: RunEnd,
): Client {
	const queue = createRequestQueue(maxConcurrentRequests, pace, runEnd);
	const breaker = createCircuitBreaker(maxRetries, queue, () => exchange(healthCheck), runEnd);
	let openRequests = 0;

	/** Sends a request as often as the circuit breaker allows. */
	const settle = async (call: Call): Promise<void> => {
		let waitMs: number | undefined = 0;
		while (waitMs !== undefined && (await breaker.begin(call, waitMs))) {
			try {
				call.tries++;
				call.sentAt = Date.now();
				call.outcome = await exchange(call.request);
				call.isUnknown ||= mayHaveTakenEffect(call.request, call.outcome);
				call.hasCompany ||= openRequests > 1;
				waitMs = await breaker.end(call, call.outcome);
				const hasFailed = waitMs === undefined && call.outcome.fate !== 'done';
				if (hasFailed && isWrite(call.request)) runEnd.onFailedWrite();
			} finally {
				queue.leave();
			}
		}
	};

	return {
		send: async (request) => {
			const call: Call = { ...NOT_SENT, request };
			openRequests++;
			await settle(call).finally(() => openRequests--);
			const { outcome, sentAt } = call;
			if (outcome?.fate === 'done') return { json: outcome.json, sentAt };
			throw toError(call, breaker.givenUp());
		},
	};
}

function toError({ outcome, isUnknown }: Call, givenUp: Outcome | undefined): Error {
	if (outcome) return new ServiceError({ ...outcome, isUnknown });
	if (!givenUp) return new CancelledError();
	return isForAll(givenUp) ? new ServiceError(givenUp) : notSentError(givenUp);
}
