import { CancelledError, delay } from './delay';
import { notSentError, toServiceError } from './errors';
import { isWrite, mayHaveTakenEffect, type Outcome, toOutcome } from './fate';
import type { Exchange, HttpSettings, ServiceRequest } from './http';
import { createOutageWatch, judge, type Limits, type OutageWatch, type Verdict } from './outage';
import { createRequestQueue, type RequestQueue } from './requestQueue';
import type { ServiceError } from './serviceError';

/** How requests are sent. */
export interface ClientSettings extends Limits {
	maxConcurrentRequests: number;
	/** Called when a write has failed for good, before another request takes its place. */
	onFailedWrite?: () => void;
	http: HttpSettings;
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

/** What the requests of a run share. */
interface Run {
	/** Sends a request once. */
	attempt: (request: ServiceRequest) => Promise<Outcome>;
	queue: RequestQueue;
	watch: OutageWatch;
	endSignal: AbortSignal;
	onFailedWrite?: () => void;
	/** How many requests have not been settled. */
	openRequests: number;
}

/** What came of all tries of a request. */
interface Settled {
	/** The last outcome; undefined if the request was not sent. */
	outcome?: Outcome;
	/** When the last try was sent, in milliseconds since 1970. */
	sentAt: number;
	/** Whether one of the tries may have changed something. */
	mayHaveTakenEffect: boolean;
}

/**
 * Creates the client for one run and one service. Its requests share the limit, wait together when the service asks
 * one of them to, and share what they learn about an outage.
 * @param healthCheck a request that succeeds whenever the service is at work
 * @param endSignal aborts when the run is over
 */
export function createClient(
	exchange: Exchange,
	settings: ClientSettings,
	healthCheck: ServiceRequest,
	endSignal: AbortSignal,
): Client {
	const attempt = async (request: ServiceRequest) => toOutcome(request, await exchange(request));
	const run: Run = {
		attempt,
		queue: createRequestQueue(settings.maxConcurrentRequests, endSignal),
		watch: createOutageWatch(settings, async () => await attempt(healthCheck)),
		endSignal,
		onFailedWrite: settings.onFailedWrite,
		openRequests: 0,
	};
	return {
		send: async (request) => {
			run.openRequests++;
			const settled = await sendWithRetries(run, request).finally(() => run.openRequests--);
			const { outcome, sentAt } = settled;
			if (outcome?.fate === 'done') return { json: jsonOf(outcome), sentAt };
			throw toError(run.watch, request, settled, settings.http.proxy !== undefined);
		},
	};
}

/** Tries a request as often as the outage watch allows; returns the last outcome, if it was sent at all. */
async function sendWithRetries(run: Run, request: ServiceRequest): Promise<Settled> {
	const settled: Settled = { sentAt: 0, mayHaveTakenEffect: false };
	let successes = run.watch.successes;
	for (let tries = 1; ; tries++) {
		const verdict = await run.queue.run(async () => {
			const one = await tryOnce(run, request, settled, { tries, successes });
			successes = run.watch.successes;
			return one;
		});
		if (!verdict?.again) return settled;
		if (verdict.whoWaits === 'itself') await delay(verdict.waitMs, run.endSignal).catch(() => {});
	}
}

/**
 * Sends a request once, and notes the outcome; undefined if nothing more is sent.
 * @param successes how often the service had shown itself at work when the try before ended
 */
async function tryOnce(
	{ attempt, queue, watch, endSignal, openRequests, onFailedWrite }: Run,
	request: ServiceRequest,
	settled: Settled,
	{ tries, successes }: { tries: number; successes: number },
): Promise<Verdict | undefined> {
	if (endSignal.aborted && !settled.mayHaveTakenEffect) throw new CancelledError();
	if (endSignal.aborted || watch.state.is === 'givenUp') return undefined;
	const isProbe = watch.state.is === 'down';
	settled.sentAt = Date.now();
	const outcome = await attempt(request);
	settled.outcome = outcome;
	settled.mayHaveTakenEffect ||= mayHaveTakenEffect(request, outcome);
	const othersGetThrough = watch.successes > successes;
	const one = { tries, isProbe, othersGetThrough, hasOthers: openRequests > 1 };
	const verdict = await judge(watch, request, outcome, one);
	queue.changeLoad(verdict.load);
	if (verdict.whoWaits === 'all') void queue.pause(verdict.waitMs);
	if (!verdict.again && outcome.fate !== 'done' && isWrite(request)) onFailedWrite?.();
	return verdict;
}

function toError(
	{ state }: OutageWatch,
	request: ServiceRequest,
	{ outcome, mayHaveTakenEffect }: Settled,
	usesProxy: boolean,
): ServiceError {
	const because = state.is === 'givenUp' ? state.because : undefined;
	// What is hopeless for one request is so for all.
	const last = outcome ?? (because?.fate === 'hopeless' ? because : undefined);
	if (last) return toServiceError(request, last, { mayHaveTakenEffect, usesProxy });
	return notSentError(because!);
}

function jsonOf({ reply }: Outcome): unknown {
	return reply.status === undefined ? undefined : reply.json;
}
