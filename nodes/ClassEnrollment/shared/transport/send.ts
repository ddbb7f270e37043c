import { asObject, parseJson } from '../values/json';
import { answerError, noAnswerError, notJsonError } from './errors';
import {
	type Answer,
	type N8nContext,
	NoAnswerError,
	openExchange,
	type ServiceRequest,
} from './exchange';
import { createLimiter } from './limiter';
import type { RequestSettings } from './requestOptions';
import { mayRepeat, waitBeforeRetry } from './retry';
import { CancelledError, wait } from './wait';

/**
 * Sends a request and gives the JSON of the answer; undefined where a success has no body.
 * It throws a NodeApiError for every other outcome, and a CancelledError when the run is over.
 */
export type Send = (request: ServiceRequest) => Promise<unknown>;

export interface Connection {
	send: Send;
	/** Starts no request any more; those under way still end. */
	stop: () => void;
}

/**
 * Opens a connection for one run of the node: all its requests share the limit of requests in flight,
 * and when the service puts one off, the others wait too.
 * @param signal aborts when the user cancels the execution
 * @throws InvalidValueError where the credential cannot be used
 */
export async function connect(
	context: N8nContext,
	settings: RequestSettings,
	signal?: AbortSignal,
): Promise<Connection> {
	const node = context.getNode();
	const exchange = await openExchange(context, settings.http);
	const limit = createLimiter(settings.maxConcurrentRequests);
	let pausedUntil = 0;
	let stopped = false;

	async function untilUnpaused(): Promise<void> {
		while (Date.now() < pausedUntil) await wait(pausedUntil - Date.now(), signal);
		if (stopped || signal?.aborted) throw new CancelledError();
	}

	async function tryOnce(request: ServiceRequest): Promise<Answer | NoAnswerError> {
		await untilUnpaused();
		return await exchange(request).catch((error: unknown) => {
			if (error instanceof NoAnswerError) return error;
			throw error;
		});
	}

	async function tryUntilSettled(request: ServiceRequest): Promise<Answer | NoAnswerError> {
		for (let tries = 1; ; tries++) {
			const outcome = await tryOnce(request);
			if (tries > settings.maxRetries || !mayRepeat(request.method, outcome)) return outcome;
			pausedUntil = Math.max(pausedUntil, Date.now() + waitBeforeRetry(tries, outcome));
		}
	}

	return {
		send: async (request) => {
			const outcome = await limit(() => tryUntilSettled(request));
			if (outcome instanceof NoAnswerError) throw noAnswerError(node, outcome);
			if (outcome.status < 200 || outcome.status > 299) throw answerError(node, request, outcome);
			if (outcome.text.trim() === '') return undefined;
			const body = parseJson(outcome.text);
			if (body === undefined) throw notJsonError(node, outcome);
			// The service's own mark of an error, whatever the status.
			if (asObject(body).status === 'error') throw answerError(node, request, outcome);
			return body;
		},
		stop: () => {
			stopped = true;
		},
	};
}
