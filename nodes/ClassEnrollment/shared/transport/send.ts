import type { IDataObject } from 'n8n-workflow';
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
import { startEach } from './pace';
import type { RequestSettings } from './requestOptions';
import { mayRepeat, waitBeforeRetry } from './retry';
import { CancelledError, wait } from './wait';

/**
 * Sends a request and gives the JSON of the answer; undefined where a success has no body.
 * It throws a NodeApiError for every other outcome, and a CancelledError when the run is over.
 */
export type Send = (request: ServiceRequest) => Promise<unknown>;

/** What all requests of one run of the node share. */
export interface Connection {
	send: Send;
	/** Does a task for every entry, at the pace that the settings ask for. */
	startEach: <Entry>(entries: Entry[], task: (entry: Entry) => Promise<void>) => Promise<void>;
	/** Begins nothing any more; requests under way still end. */
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
	const limiter = createLimiter(settings.maxConcurrentRequests);
	const stopper = new AbortController();
	const over = signal ? AbortSignal.any([signal, stopper.signal]) : stopper.signal;
	let pausedUntil = 0;

	async function tryOnce(request: ServiceRequest): Promise<Answer | NoAnswerError> {
		while (Date.now() < pausedUntil) await wait(pausedUntil - Date.now(), over);
		if (over.aborted) throw new CancelledError();
		return await exchange(request).catch((error: unknown) => {
			if (error instanceof NoAnswerError) return error;
			throw error;
		});
	}

	function pause(milliseconds: number): void {
		// Requests that are put off together count as one.
		if (Date.now() >= pausedUntil) limiter.slowDown();
		pausedUntil = Math.max(pausedUntil, Date.now() + milliseconds);
	}

	async function tryUntilSettled(request: ServiceRequest): Promise<Answer | NoAnswerError> {
		for (let tries = 1; ; tries++) {
			const { outcome, again } = await limiter.run(async () => {
				const tried = await tryOnce(request);
				const isRepeatable = mayRepeat(request.method, tried);
				const again = isRepeatable && tries <= settings.maxRetries;
				if (!isRepeatable) limiter.speedUp();
				if (again) pause(waitBeforeRetry(tries, tried));
				return { outcome: tried, again };
			}, tries - 1);
			if (!again) return outcome;
		}
	}

	return {
		send: async (request) => {
			const outcome = await tryUntilSettled(request);
			if (outcome instanceof NoAnswerError) {
				throw noAnswerError(node, request, outcome, settings.http.proxy !== undefined);
			}
			if (outcome.status < 200 || outcome.status > 299) throw answerError(node, request, outcome);
			if (outcome.text.trim() === '') return undefined;
			const body = parseJson(outcome.text);
			if (body === undefined) throw notJsonError(node, request, outcome);
			if (saysItFailed(asObject(body))) throw answerError(node, request, outcome);
			return body;
		},
		startEach: async (entries, task) => await startEach(entries, settings, over, task),
		stop: () => stopper.abort(),
	};
}

/** Whether an answer marks itself as an error (interface, section 2), whatever its status. */
function saysItFailed({ status, success }: IDataObject): boolean {
	return success === false || (typeof status === 'string' && status.toLowerCase() === 'error');
}
