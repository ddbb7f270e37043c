import { CancelledError } from './delay';
import { noResponseError, notJsonError, notSentError, responseError } from './errors';
import { createHealth } from './health';
import { ConnectionError } from './connectionError';
import type { HttpSettings, SendOnce, ServiceRequest } from './http';
import { parseJson, toObject } from '../values/json';
import { createRequestQueue } from './requestQueue';
import {
	delayBeforeRetry,
	isAtWork,
	isRetryable,
	isServerError,
	isTimeout,
	isTooManyRequests,
	type Outcome,
} from './retry';

// For one request, while a rate limit lets others through.
const MOST_TRIES = 10;

/** How requests are sent. */
export interface ClientSettings {
	maxConcurrentRequests: number;
	maxRetries: number;
	http: HttpSettings;
}

/** One try of a request. */
interface Try {
	/** How many were made, with this one. */
	tries: number;
	/** Whether the service counted as down when it began. */
	isProbe: boolean;
	/** Whether another request succeeded since the try before. */
	othersSucceeded: boolean;
}

/**
 * Sends a request and returns the JSON of the response; undefined if a success has no body.
 * It throws a ServiceError for every other outcome, and a CancelledError when the run is over.
 */
export type Send = (request: ServiceRequest) => Promise<unknown>;

/**
 * Creates what sends the requests of one run of the node to one service. They share the limit of requests in flight,
 * wait together while the service defers one of them, and find out together that it is down.
 * @param check what always succeeds if the service is at work
 * @param over aborts when the run is over
 */
export function createClient(
	sendOnce: SendOnce,
	{ maxConcurrentRequests, maxRetries, http }: ClientSettings,
	check: ServiceRequest,
	over: AbortSignal,
): Send {
	const queue = createRequestQueue(maxConcurrentRequests, over);
	const health = createHealth(maxRetries);

	function mayRetry(outcome: Outcome, tries: number, othersSucceeded: boolean): boolean {
		if (tries <= maxRetries) return true;
		if (maxRetries === 0) return false;
		if (othersSucceeded) return isTooManyRequests(outcome) && tries < MOST_TRIES;
		// While nothing gets through, retries belong to the run, not to the item.
		return queue.hasOthers();
	}

	/** Asks the service before giving up: maybe only the requests of some items in a row fail. */
	async function giveUpIfDown(lastProbe: Outcome, retryable: boolean): Promise<void> {
		// Only if the other items cost little: not after a timeout, and not if each of them would be retried.
		const isAsked = !retryable && !isTimeout(lastProbe);
		if (isAsked && isAtWork(await sendOnce(check).catch(toOutcome))) health.blameRequests();
		else health.giveUp(lastProbe);
	}

	/** Learns from the outcome of a try; returns whether to send the request again. */
	async function learn(
		{ method, mayNotExist = false }: ServiceRequest,
		outcome: Outcome,
		{ tries, isProbe, othersSucceeded }: Try,
	): Promise<boolean> {
		if (isAtWork(outcome)) {
			health.succeed();
			queue.speedUp();
			return false;
		}
		const retryable = isRetryable(method, outcome);
		if (mayNotExist && isServerError(outcome)) {
			const again = retryable && tries <= maxRetries && !health.isDown();
			if (again) queue.pause(delayBeforeRetry(tries, outcome));
			return again;
		}
		const isSpent = retryable && tries > maxRetries && !othersSucceeded;
		const probeDelay = health.fail(outcome, { isProbe, isSpent });
		if (health.isExhausted()) await giveUpIfDown(outcome, retryable);
		const again = retryable && mayRetry(outcome, tries, othersSucceeded);
		if (health.isDown()) {
			queue.slowDown('one');
			queue.pause(probeDelay);
		} else if (again) {
			queue.slowDown('half');
			queue.pause(delayBeforeRetry(tries, outcome));
		}
		return again;
	}

	async function sendWithRetries(request: ServiceRequest): Promise<Outcome> {
		let outcome: Outcome | undefined;
		let successes = health.successes();
		for (let tries = 1, again = true; again; tries++) {
			again = await queue.run(async () => {
				if (over.aborted) throw new CancelledError();
				if (health.givenUp()) return false;
				const isProbe = health.isDown();
				outcome = await sendOnce(request).catch(toOutcome);
				const othersSucceeded = health.successes() > successes;
				successes = health.successes();
				return await learn(request, outcome, { tries, isProbe, othersSucceeded });
			}, tries > 1);
		}
		if (outcome) return outcome;
		throw notSentError(health.givenUp()!);
	}

	return async (request) => {
		const outcome = await sendWithRetries(request);
		if (outcome instanceof ConnectionError) {
			throw noResponseError(request, outcome, http.proxy !== undefined);
		}
		if (Math.floor(outcome.status / 100) !== 2) throw responseError(request, outcome);
		if (outcome.text.trim() === '') return undefined;
		const json = parseJson(outcome.text);
		if (json === undefined) throw notJsonError(request, outcome);
		if (saysItFailed(json)) throw responseError(request, outcome);
		return json;
	};
}

function toOutcome(error: unknown): ConnectionError {
	if (error instanceof ConnectionError) return error;
	throw error;
}

/** Whether a response marks itself as an error (interface, section 2), whatever its status. */
function saysItFailed(json: unknown): boolean {
	const { status, success } = toObject(json);
	return success === false || (typeof status === 'string' && status.toLowerCase() === 'error');
}
