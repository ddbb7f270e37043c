import { CancelledError, delay } from './delay';
import { noResponseError, notJsonError, responseError } from './errors';
import { ConnectionError, type HttpSettings, type SendOnce, type ServiceRequest } from './http';
import { parseJson, toObject } from './json';
import { createLimiter } from './limiter';
import { delayBeforeRetry, isRetryable, type Outcome } from './retry';
import { type Pace, startEach } from './startEach';

/** What a run may ask of the service. */
export interface RequestSettings extends Pace {
	maxRetries: number;
	http: HttpSettings;
}

/**
 * Sends a request and returns the JSON of the response; undefined where a success has no body.
 * It throws a ServiceError for every other outcome, and a CancelledError when the run is over.
 */
export type Send = (request: ServiceRequest) => Promise<unknown>;

/** What all requests of one run of the node share. */
export interface Client {
	send: Send;
	/** Runs a task for each entry, at the pace of the settings. */
	startEach: <Entry>(entries: Entry[], task: (entry: Entry) => Promise<void>) => Promise<void>;
	/** Starts nothing more; requests under way still end. */
	stop: () => void;
}

/**
 * Creates the client of one run of the node: all its requests share the limit of requests in flight,
 * and while the service defers one, the others wait too.
 * @param signal aborts when the user cancels the execution
 */
export function createClient(
	sendOnce: SendOnce,
	settings: RequestSettings,
	signal?: AbortSignal,
): Client {
	const limiter = createLimiter(settings.maxConcurrentRequests);
	const stopper = new AbortController();
	const over = signal ? AbortSignal.any([signal, stopper.signal]) : stopper.signal;
	let pausedUntil = 0;

	async function tryOnce(request: ServiceRequest): Promise<Outcome> {
		while (Date.now() < pausedUntil) await delay(pausedUntil - Date.now(), over);
		if (over.aborted) throw new CancelledError();
		return await sendOnce(request).catch((error: unknown) => {
			if (error instanceof ConnectionError) return error;
			throw error;
		});
	}

	function pause(milliseconds: number): void {
		// Requests that are deferred together count as one.
		if (Date.now() >= pausedUntil) limiter.slowDown();
		pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
	}

	async function sendWithRetries(request: ServiceRequest): Promise<Outcome> {
		for (let tries = 1; ; tries++) {
			const { outcome, again } = await limiter.run(async () => {
				const tried = await tryOnce(request);
				const retryable = isRetryable(request.method, tried);
				const again = retryable && tries <= settings.maxRetries;
				if (!retryable) limiter.speedUp();
				if (again) pause(delayBeforeRetry(tries, tried));
				return { outcome: tried, again };
			}, tries - 1);
			if (!again) return outcome;
		}
	}

	return {
		send: async (request) => {
			const outcome = await sendWithRetries(request);
			if (outcome instanceof ConnectionError) {
				throw noResponseError(request, outcome, settings.http.proxy !== undefined);
			}
			if (outcome.status < 200 || outcome.status > 299) throw responseError(request, outcome);
			if (outcome.text.trim() === '') return undefined;
			const json = parseJson(outcome.text);
			if (json === undefined) throw notJsonError(request, outcome);
			if (saysItFailed(json)) throw responseError(request, outcome);
			return json;
		},
		startEach: async (entries, task) => await startEach(entries, settings, over, task),
		stop: () => stopper.abort(),
	};
}

/** Whether a response marks itself as an error (interface, section 2), whatever its status. */
function saysItFailed(json: unknown): boolean {
	const { status, success } = toObject(json);
	return success === false || (typeof status === 'string' && status.toLowerCase() === 'error');
}
