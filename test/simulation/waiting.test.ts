import groupBy from 'lodash/groupBy';
import { TIMES } from '../property';
import {
	always,
	atRandom,
	DENIED,
	during,
	FAILED,
	hang,
	inTurn,
	later,
	LIMITED,
	type NewService,
	OK,
	rateLimit,
	REFUSED,
	REJECTED,
	type Response,
	toChanges,
	toRequests,
	UNAVAILABLE,
	UNTRUSTED,
} from './services';
import { type Run, type Settings, simulate } from './simulate';

const SEEDS = [...Array(Math.ceil(5 * TIMES)).keys()];

const TEN: Settings = { inFlight: 10 };
const ONE: Settings = { inFlight: 1 };
const ONE_RETRY: Settings = { maxRetries: 1 };
const NO_RETRY: Settings = { ...ONE, maxRetries: 0 };
const LINKS: Settings = { isOnceOnly: true };
const STOP: Settings = { continuesOnFail: false };
const CANCEL: Settings = { cancelAfterMs: 3000 };

const FIRST = (item: number) => item === 0;
const FIRST_40 = (item: number) => item < 40;
const EVERY_OTHER = (item: number) => item % 2 === 0;

/** At least so many items are done, in so many seconds and with so many requests at most. */
interface Row {
	does: NewService;
	items: number;
	settings: Settings;
	done: number;
	seconds: number;
	requests: number;
}

test.each`
	service                             | does                                    | items   | settings     | done   | seconds | requests
	${'no service'}                     | ${always(REFUSED)}                      | ${5000} | ${TEN}       | ${0}   | ${25}   | ${40}
	${'one of two servers'}             | ${inTurn(REFUSED, OK)}                  | ${60}   | ${TEN}       | ${60}  | ${20}   | ${130}
	${'every other response 503'}       | ${inTurn(UNAVAILABLE, OK)}              | ${60}   | ${ONE_RETRY} | ${60}  | ${20}   | ${130}
	${'60 a minute'}                    | ${rateLimit(60, 60_000)}                | ${300}  | ${TEN}       | ${300} | ${300}  | ${420}
	${'1 a second'}                     | ${rateLimit(1, 1000)}                   | ${100}  | ${TEN}       | ${100} | ${150}  | ${450}
	${'20 a second, Retry-After 1'}     | ${rateLimit(20, 1000, later(1, 429))}   | ${300}  | ${TEN}       | ${300} | ${30}   | ${450}
	${'12 in 8 s, Retry-After 1'}       | ${rateLimit(12, 8000, later(1, 429))}   | ${30}   | ${TEN}       | ${30}  | ${30}   | ${80}
	${'429, Retry-After 60 once'}       | ${during(later(60, 429), 60_000, 0)}    | ${60}   | ${TEN}       | ${60}  | ${70}   | ${75}
	${'always 429'}                     | ${always(LIMITED)}                      | ${60}   | ${TEN}       | ${0}   | ${420}  | ${40}
	${'down for 10 s'}                  | ${during(UNAVAILABLE, 10_000, 500)}     | ${300}  | ${TEN}       | ${300} | ${18}   | ${335}
	${'down for 10 s'}                  | ${during(UNAVAILABLE, 10_000, 500)}     | ${300}  | ${ONE}       | ${300} | ${50}   | ${320}
	${'down for 10 s, from the start'}  | ${during(UNAVAILABLE, 10_000, 0)}       | ${2}    | ${ONE_RETRY} | ${2}   | ${15}   | ${20}
	${'down for 10 s, at the last one'} | ${during(UNAVAILABLE, 10_000, 175)}     | ${3}    | ${ONE}       | ${3}   | ${15}   | ${20}
	${'down for 45 s'}                  | ${during(UNAVAILABLE, 45_000, 1500)}    | ${300}  | ${TEN}       | ${300} | ${70}   | ${345}
	${'down for 45 s'}                  | ${during(UNAVAILABLE, 45_000, 1500)}    | ${300}  | ${ONE}       | ${300} | ${100}  | ${345}
	${'down for 45 s, Retry-After 5'}   | ${during(later(5), 45_000, 1500)}       | ${300}  | ${TEN}       | ${300} | ${70}   | ${325}
	${'not there for 45 s'}             | ${during(REFUSED, 45_000, 1500)}        | ${300}  | ${TEN}       | ${300} | ${70}   | ${350}
	${'one class 503'}                  | ${toChanges(UNAVAILABLE, FIRST_40)}     | ${60}   | ${TEN}       | ${20}  | ${30}   | ${95}
	${'one class 500'}                  | ${toChanges(FAILED, FIRST_40)}          | ${60}   | ${TEN}       | ${20}  | ${30}   | ${65}
	${'one class 401'}                  | ${toChanges(DENIED, FIRST_40)}          | ${60}   | ${TEN}       | ${20}  | ${2}    | ${65}
	${'one class 403'}                  | ${toChanges({ status: 403 }, FIRST_40)} | ${60}   | ${TEN}       | ${20}  | ${2}    | ${60}
	${'one class 500, in turn'}         | ${toChanges(FAILED, EVERY_OTHER)}       | ${60}   | ${TEN}       | ${30}  | ${5}    | ${60}
	${'one item 503'}                   | ${toChanges(later(0), FIRST)}           | ${31}   | ${TEN}       | ${30}  | ${100}  | ${60}
	${'one item 503'}                   | ${toChanges(later(0), FIRST)}           | ${31}   | ${NO_RETRY}  | ${30}  | ${10}   | ${31}
	${'one item 429'}                   | ${toChanges(LIMITED, FIRST)}            | ${31}   | ${TEN}       | ${30}  | ${420}  | ${70}
	${'changes 500'}                    | ${toChanges(FAILED)}                    | ${500}  | ${TEN}       | ${0}   | ${90}   | ${505}
	${'read-only'}                      | ${toChanges(UNAVAILABLE)}               | ${500}  | ${TEN}       | ${0}   | ${90}   | ${535}
	${'read-only, Retry-After 0'}       | ${toChanges(later(0))}                  | ${40}   | ${TEN}       | ${0}   | ${420}  | ${80}
	${'read-only, Retry-After 1'}       | ${toChanges(later(1))}                  | ${40}   | ${TEN}       | ${0}   | ${420}  | ${80}
	${'read-only, Retry-After 60'}      | ${toChanges(later(60))}                 | ${40}   | ${TEN}       | ${0}   | ${420}  | ${60}
	${'read-only, Retry-After 120'}     | ${toChanges(later(120))}                | ${40}   | ${TEN}       | ${0}   | ${420}  | ${60}
	${'read-only, Retry-After 3600'}    | ${toChanges(later(3600))}               | ${40}   | ${TEN}       | ${0}   | ${1}    | ${10}
	${'hangs, Timeout 1 s'}             | ${always(hang(1))}                      | ${60}   | ${TEN}       | ${0}   | ${30}   | ${20}
	${'hangs, Timeout 1 s'}             | ${always(hang(1))}                      | ${60}   | ${ONE}       | ${0}   | ${30}   | ${10}
	${'hangs, Timeout 10 s'}            | ${always(hang(10))}                     | ${60}   | ${TEN}       | ${0}   | ${30}   | ${13}
	${'hangs, Timeout 10 s'}            | ${always(hang(10))}                     | ${60}   | ${ONE}       | ${0}   | ${30}   | ${3}
	${'hangs, Timeout 300 s'}           | ${always(hang(300))}                    | ${60}   | ${TEN}       | ${0}   | ${900}  | ${13}
	${'hangs, Timeout 300 s'}           | ${always(hang(300))}                    | ${60}   | ${ONE}       | ${0}   | ${900}  | ${3}
	${'wrong token'}                    | ${always(DENIED)}                       | ${500}  | ${TEN}       | ${0}   | ${1}    | ${15}
	${'token that expires'}             | ${toRequests(DENIED, 100)}              | ${500}  | ${TEN}       | ${100} | ${6}    | ${500}
	${'moved'}                          | ${always({ status: 308 })}              | ${500}  | ${TEN}       | ${0}   | ${1}    | ${15}
	${'untrusted certificate'}          | ${always(UNTRUSTED)}                    | ${500}  | ${TEN}       | ${0}   | ${1}    | ${10}
`('$service: $items items, $settings', async ({ does, items, settings, ...limits }: Row) => {
	const figures = (await simulateAll(does, items, settings)).map(toFigures);
	expect(figures.filter(({ done }) => done < limits.done)).toEqual([]);
	expect(figures.filter(({ seconds }) => seconds > limits.seconds)).toEqual([]);
	expect(figures.filter(({ requests }) => requests > limits.requests)).toEqual([]);
});

test.each([
	['503', 300, TEN, UNAVAILABLE],
	['503', 300, ONE, UNAVAILABLE],
	['503', 500, TEN, UNAVAILABLE],
	['503', 500, ONE, UNAVAILABLE],
	['refused', 60, TEN, REFUSED],
])(
	'half %s, at random, %i items: hardly a run loses one: %j',
	async (_how, items, settings, how) => {
		const figures = (await simulateAll(atRandom(0.5, how), items, settings)).map(toFigures);
		expect(figures.filter(({ done }) => done < items).slice(SEEDS.length / 200)).toEqual([]);
		expect(figures.filter(({ seconds }) => seconds > 0.5 * items)).toEqual([]);
	},
);

test.each<[service: string, NewService, Settings, mostLost: number]>([
	['down for 1.5 s (500), twice', during(FAILED, 1500, 500, 3500), TEN, 38],
	['half 500, at random', atRandom(0.5, FAILED), TEN, 160],
	['half 503, at random', atRandom(0.5, UNAVAILABLE), LINKS, 160],
	['down for 1.5 s, Retry-After 1', during(later(1), 1500, 500), LINKS, 0],
])('%s: loses only what may have been done', async (_service, does, settings, mostLost) => {
	const lost = (await simulateAll(does, 300, settings)).map(({ requests, done }) => {
		const cutOff = requests.filter(
			(sent) => !done.has(sent.item!) && !isRepeatable(sent.response, settings),
		);
		expect(cutOff).toHaveLength(300 - done.size);
		return cutOff.length;
	});
	expect(lost.reduce((sum, ofRun) => sum + ofRun) / lost.length).toBeLessThanOrEqual(mostLost);
});

test('a request waits longer after each try, and not always as long', async () => {
	const runs = await simulateAll(always(REFUSED), 1, { maxRetries: 4 });
	for (const [n, least] of [500, 1000, 2000, 2000].entries()) {
		const waits = runs.map(({ requests }) => requests[n + 1]!.sentMs - requests[n]!.endMs);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
		expect(Math.max(...waits)).toBeLessThanOrEqual(1.1 * least);
		expect(new Set(waits).size).toBeGreaterThan(1);
	}
});

test.each([
	['one goes first where the service asked to wait', 10, later(3, 429), [10, 1, 2, 4, 8, 10, 5]],
	['as many as before go on', 1, FAILED, [10, 10, 10]],
])('after a failure, %s', async (_what, count, response, rounds) => {
	const does: NewService =
		() =>
		({ index }) => ({ ...(index < count ? response : OK), ms: 100 });
	const { requests } = await simulate(does, 30, TEN);
	expect(Object.values(groupBy(requests, 'sentMs')).map(({ length }) => length)).toEqual(rounds);
});

test.each<[end: string, NewService, Settings]>([
	['a failure', inTurn(OK, UNAVAILABLE, OK, later(30), REJECTED), STOP],
	['it was cancelled', always(UNAVAILABLE), CANCEL],
	['it was cancelled', always(REFUSED), CANCEL],
	['it was cancelled', during(later(30), 60_000, 1000), CANCEL],
])('after %s, a run starts nothing and waits for nothing: %#', async (_end, does, settings) => {
	const { requests, ms } = await simulate(does, 300, settings);
	const failed = requests.filter(({ response }) => response === REJECTED);
	const endMs = Math.min(...failed.map((sent) => sent.endMs), settings.cancelAfterMs ?? Infinity);
	expect(requests.filter(({ sentMs }) => sentMs > endMs)).toEqual([]);
	expect(ms).toBeLessThanOrEqual(endMs + 150);
});

async function simulateAll(does: NewService, items: number, settings: Settings): Promise<Run[]> {
	const runs = [];
	for (const seed of SEEDS) {
		const run = await simulate(does, items, settings, seed);
		expectCare(run, settings);
		runs.push(run);
	}
	return runs;
}

const toFigures = ({ requests, done, ms }: Run, seed: number) => ({
	seed,
	done: done.size,
	seconds: ms / 1000,
	requests: requests.length,
});

/** Expects that nothing is sent again that may have been done, and no more at a time than are allowed. */
function expectCare({ requests }: Run, settings: Settings): void {
	const last = new Map(requests.map((sent) => [sent.item, sent]));
	const again = requests.filter((sent) => sent !== last.get(sent.item));
	expect(again.filter(({ response }) => !isRepeatable(response, settings))).toEqual([]);
	const atOnce = requests.map(
		({ sentMs }) => requests.filter((sent) => sent.sentMs <= sentMs && sentMs < sent.endMs).length,
	);
	expect(Math.max(...atOnce)).toBeLessThanOrEqual(settings.inFlight ?? 10);
}

function isRepeatable({ status, code, retryAfter }: Response, { isOnceOnly }: Settings): boolean {
	if (status === 503) return retryAfter !== undefined || !isOnceOnly;
	return status === 429 || code === REFUSED.code;
}
