import { CancelledError, delay } from './delay';
import { notSentError, toServiceError } from './errors';
import { mayHaveTakenEffect, type Outcome, toOutcome } from './fate';
import type { Exchange, HttpSettings, ServiceRequest } from './http';
import { createOutageWatch, type Limits, type Verdict } from './outage';
import { createRequestQueue } from './requestQueue';
import type { ServiceError } from './serviceError';

/** How requests are sent. */
export interface ClientSettings extends Limits {
	maxConcurrentRequests: number;
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
 * @param check a request that succeeds whenever the service is at work
 * @param over aborts when the run is over
 */
export function createClient(
	exchange: Exchange,
	settings: ClientSettings,
	check: ServiceRequest,
	over: AbortSignal,
): Client {
	const attempt = async (request: ServiceRequest) => toOutcome(request, await exchange(request));
	const queue = createRequestQueue(settings.maxConcurrentRequests, over);
	const watch = createOutageWatch(settings, async () => await attempt(check));
	let openRequests = 0;

	/** Tries a request as often as the outage watch allows; returns the last outcome, if it was sent at all. */
	async function sendWithRetries(request: ServiceRequest): Promise<Settled> {
		const settled: Settled = { sentAt: 0, mayHaveTakenEffect: false };
		let successes = watch.successes();
		const tryOnce = async (tries: number): Promise<Verdict | undefined> => {
			if (over.aborted && !settled.mayHaveTakenEffect) throw new CancelledError();
			if (over.aborted || watch.givenUpBecause()) return undefined;
			const isProbe = watch.isDown();
			settled.sentAt = Date.now();
			const outcome = await attempt(request);
			settled.outcome = outcome;
			settled.mayHaveTakenEffect ||= mayHaveTakenEffect(request, outcome);
			const othersGetThrough = watch.successes() > successes;
			const one = { tries, isProbe, othersGetThrough, hasOthers: openRequests > 1 };
			const verdict = await watch.judge(request, outcome, one);
			successes = watch.successes();
			queue.changeLoad(verdict.load);
			if (verdict.whoWaits === 'all') queue.pause(verdict.waitMs);
			return verdict;
		};
		for (let tries = 1; ; tries++) {
			const verdict = await queue.run(async () => await tryOnce(tries));
			if (!verdict?.again) return settled;
			if (verdict.whoWaits === 'itself') await delay(verdict.waitMs, over).catch(() => {});
		}
	}

	function toError(
		request: ServiceRequest,
		{ outcome, mayHaveTakenEffect }: Settled,
	): ServiceError {
		const usesProxy = settings.http.proxy !== undefined;
		const because = watch.givenUpBecause();
		// What is hopeless for one request is so for all.
		const last = outcome ?? (because?.fate === 'hopeless' ? because : undefined);
		if (last) return toServiceError(request, last, { mayHaveTakenEffect, usesProxy });
		return notSentError(because!);
	}

	return {
		send: async (request) => {
			openRequests++;
			const settled = await sendWithRetries(request).finally(() => openRequests--);
			const { outcome, sentAt } = settled;
			if (outcome?.fate === 'done') return { json: jsonOf(outcome), sentAt };
			throw toError(request, settled);
		},
	};
}

function jsonOf({ reply }: Outcome): unknown {
	return reply.status === undefined ? undefined : reply.json;
}
