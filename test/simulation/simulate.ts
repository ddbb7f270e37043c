import { createClient } from '../../nodes/ClassEnrollment/transport/client';
import type { Transport } from '../../nodes/ClassEnrollment/transport/http';
import { createMask } from '../../nodes/ClassEnrollment/transport/mask';
import { networkFailure } from '../../nodes/ClassEnrollment/transport/networkFailure';
import type { ServiceRequest } from '../../nodes/ClassEnrollment/transport/request';
import { toAttemptResult } from '../../nodes/ClassEnrollment/transport/response';
import { createRateLimiter } from '../../nodes/ClassEnrollment/transport/rateLimiter';
import { createRandom } from '../random';
import { setTimeout as sleep } from 'node:timers/promises';

/** A request as the service sees it. */
export interface Arrival {
	/** How many came before it. */
	index: number;
	/** The time since the run began, in milliseconds. */
	ms: number;
	/** The input item that it is about; undefined if it asks for the class list. */
	item?: number;
	/** How many requests about the same item came before it. */
	tries: number;
	/** A number from 0 to 1. */
	chance: number;
	/** Returns how many requests have succeeded that arrived since then. */
	servedSince: (ms: number) => number;
}

/** A response, or the Node.js error code where none comes. */
export interface Response {
	status?: number;
	retryAfter?: number | string;
	code?: string;
	/** How long it takes; by default from 50 to 150 milliseconds, and 2 for an error code. */
	ms?: number;
}

export type ServiceModel = (arrival: Arrival) => Response;

/** Which requests get a response; the others succeed. */
export type When = (arrival: Arrival) => boolean;

export interface Settings {
	inFlight?: number;
	/** In seconds. */
	giveUpAfter?: number;
	/** Whether a second time does harm. */
	isIdempotent?: boolean;
	/** Otherwise, the first change that fails ends the run. */
	continuesOnFail?: boolean;
}

export interface Sent {
	item?: number;
	response: Response;
	/** Since the beginning of the run. */
	sentMs: number;
	endMs: number;
}

/** What happened in a run. */
export interface Run {
	ms: number;
	requests: Sent[];
	/** Which items were done. */
	done: Set<number>;
}

/** From the environment of the tests. */
const { runOnTimers } = globalThis as unknown as {
	runOnTimers: (task: () => Promise<unknown>) => Promise<void>;
};
const MASK = createMask('token');

/**
 * Reads a response such as "503, Retry-After 60" or "504 after 60 s", or the Node.js error code where none comes, such as
 * "ETIMEDOUT after 10 s" if that is the Timeout.
 */
export function responseOf(text: string): Response {
	const [what = ''] = text.split(/\W/);
	const seconds = / after (\d+) s/.exec(text)?.[1];
	const retryAfter = /Retry-After (\d+)/.exec(text)?.[1];
	const ms = seconds && { ms: 1000 * Number(seconds) };
	const answer = /\d/.test(what) ? { status: Number(what) } : { code: what };
	return { ...answer, retryAfter, ...ms };
}

/** A service that responds so to these requests. */
export function respond(response: string, when: When): ServiceModel {
	const [irregular, regular] = [response, '200'].map(responseOf);
	return (arrival) => (when(arrival) ? irregular! : regular!);
}

/**
 * Runs the node's client, which sends a change for each item, against a service that is modelled.
 * @param seed of all that happens by chance
 */
export async function simulate(
	service: ServiceModel,
	items: number,
	{ inFlight = 10, giveUpAfter = 60, continuesOnFail = true, isIdempotent = true }: Settings,
	seed = 1,
): Promise<Run> {
	const random = createRandom(seed);
	// A mock of jest would keep every call.
	const { random: systemRandom } = Math;
	Math.random = random;
	const began = performance.now();
	const elapsed = () => performance.now() - began;
	const run: Run = { ms: 0, requests: [], done: new Set() };
	const triesOf = new Map<number | undefined, number>();
	const servedSince = (ms: number) =>
		run.requests.filter(({ sentMs, response }) => sentMs >= ms && response.status === 200).length;

	const transport: Transport = async (request) => {
		const item = request.body?.item as number | undefined;
		const sentMs = elapsed();
		const index = run.requests.length;
		const tries = triesOf.get(item) ?? 0;
		triesOf.set(item, tries + 1);
		const response = service({ index, ms: sentMs, item, tries, chance: random(), servedSince });
		const sent = { item, response, sentMs, endMs: Infinity };
		run.requests.push(sent);
		await sleep(response.ms ?? (response.code ? 2 : 50 + 100 * random()));
		sent.endMs = elapsed();
		return resultOf(request, response);
	};
	const rateLimiter = createRateLimiter({ size: 1, intervalMs: 0 });
	const giveUpAfterMs = 1000 * giveUpAfter;
	const settings = { maxConcurrentRequests: inFlight, giveUpAfterMs, rateLimiter };
	const client = createClient(transport, settings);
	const change = async (item: number) => {
		const path = `/classe/${item}/add-student`;
		const request = {
			method: 'POST',
			path,
			body: { item },
			isIdempotent,
			likelyCauses: '',
		} as const;
		await client.send(request).then(
			() => run.done.add(item),
			() => continuesOnFail || client.end(),
		);
	};
	const changes = async () => await Promise.all([...Array(items).keys()].map(change));
	await runOnTimers(changes).finally(() => (Math.random = systemRandom));
	return { ...run, ms: elapsed() };
}

function resultOf(request: ServiceRequest, { code, status = 0, retryAfter }: Response) {
	if (code !== undefined) return networkFailure(code, { url: '', usesProxy: false });
	const headers = retryAfter === undefined ? {} : { 'retry-after': `${retryAfter}` };
	return toAttemptResult(request, { statusCode: status, headers, body: '{}' }, MASK);
}
