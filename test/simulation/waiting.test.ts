import groupBy from 'lodash/groupBy';
import meanBy from 'lodash/meanBy';
import { TIMES } from '../property';
import {
	DENIED,
	DENIED_LATE,
	FAILED,
	FAILED_LATE,
	FORBIDDEN,
	LIMITED,
	MOVED,
	NO_HOST,
	OK,
	ONE,
	REDIRECTED,
	REFUSED,
	REJECTED,
	TEN,
	UNAVAILABLE,
	UNTRUSTED,
	after100,
	always,
	between,
	beyond,
	changes,
	everyOther,
	everyOtherItem,
	first300,
	first40,
	first400,
	first40AndAfter100,
	firstItem,
	half,
	hang,
	itemsAfter100,
	later,
	respond,
	slow,
	twice,
	twoOfThree,
	type When,
} from './services';
import { type Response, type Run, type Service, type Settings, simulate } from './simulate';

const SEEDS = [...Array(Math.ceil(5 * TIMES)).keys()];

const PATIENT: Settings = { giveUpAfter: 300 };
const HASTY: Settings = { giveUpAfter: 5 };
const NEVER_AGAIN: Settings = { giveUpAfter: 0 };
const NO_RETRY: Settings = { inFlight: 1, giveUpAfter: 0 };
const LINKS: Settings = { isOnceOnly: true };
const STOP: Settings = { continuesOnFail: false };
const CANCEL: Settings = { cancelAfterMs: 3000 };

/** At least so many items are done, in so many seconds and with so many requests at most. */
interface Row {
	response: Response;
	when: When;
	items: number;
	settings: Settings;
	done: number;
	seconds: number;
	requests: number;
}

test.each`
	service                             | response          | when                      | items   | settings       | done   | seconds | requests
	${'no service'}                     | ${REFUSED}        | ${always}                 | ${5000} | ${TEN}         | ${0}   | ${80}   | ${40}
	${'no service'}                     | ${REFUSED}        | ${always}                 | ${1}    | ${TEN}         | ${0}   | ${80}   | ${20}
	${'one of two servers'}             | ${REFUSED}        | ${everyOther}             | ${60}   | ${TEN}         | ${60}  | ${20}   | ${130}
	${'every other response 503'}       | ${UNAVAILABLE}    | ${everyOther}             | ${60}   | ${PATIENT}     | ${60}  | ${20}   | ${130}
	${'60 a minute'}                    | ${LIMITED}        | ${beyond(60, 60_000)}     | ${300}  | ${TEN}         | ${300} | ${300}  | ${420}
	${'1 a second'}                     | ${LIMITED}        | ${beyond(1, 1000)}        | ${100}  | ${TEN}         | ${100} | ${150}  | ${450}
	${'20 a second, Retry-After 1'}     | ${later(1, 429)}  | ${beyond(20, 1000)}       | ${300}  | ${TEN}         | ${300} | ${30}   | ${450}
	${'12 in 8 s, Retry-After 1'}       | ${later(1, 429)}  | ${beyond(12, 8000)}       | ${30}   | ${TEN}         | ${30}  | ${30}   | ${80}
	${'429, Retry-After 60 once'}       | ${later(60, 429)} | ${between(0, 60_000)}     | ${60}   | ${TEN}         | ${60}  | ${70}   | ${75}
	${'always 429'}                     | ${LIMITED}        | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${80}   | ${40}
	${'always 429'}                     | ${LIMITED}        | ${always}                 | ${1}    | ${TEN}         | ${0}   | ${80}   | ${20}
	${'down for 10 s'}                  | ${UNAVAILABLE}    | ${between(500, 10_500)}   | ${300}  | ${TEN}         | ${300} | ${18}   | ${335}
	${'down for 10 s'}                  | ${UNAVAILABLE}    | ${between(500, 10_500)}   | ${300}  | ${ONE}         | ${300} | ${50}   | ${320}
	${'down for 10 s, from the start'}  | ${UNAVAILABLE}    | ${between(0, 10_000)}     | ${1}    | ${TEN}         | ${1}   | ${15}   | ${10}
	${'down for 10 s, from the start'}  | ${UNAVAILABLE}    | ${between(0, 10_000)}     | ${2}    | ${PATIENT}     | ${2}   | ${15}   | ${20}
	${'down for 10 s, at the last one'} | ${UNAVAILABLE}    | ${between(175, 10_175)}   | ${3}    | ${ONE}         | ${3}   | ${15}   | ${20}
	${'down for 15 s, from the start'}  | ${UNAVAILABLE}    | ${between(0, 15_000)}     | ${60}   | ${TEN}         | ${60}  | ${25}   | ${100}
	${'down in mid-run, for good'}      | ${UNAVAILABLE}    | ${after100}               | ${500}  | ${TEN}         | ${100} | ${90}   | ${145}
	${'down for 45 s'}                  | ${UNAVAILABLE}    | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${345}
	${'down for 45 s'}                  | ${UNAVAILABLE}    | ${between(1500, 46_500)}  | ${300}  | ${ONE}         | ${300} | ${100}  | ${345}
	${'down for 45 s, Retry-After 5'}   | ${later(5)}       | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${325}
	${'not there for 45 s'}             | ${REFUSED}        | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${350}
	${'one class 503'}                  | ${UNAVAILABLE}    | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${90}   | ${110}
	${'one class 500'}                  | ${FAILED}         | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${5}    | ${60}
	${'300 of 360: 500'}                | ${FAILED}         | ${first300}               | ${360}  | ${TEN}         | ${60}  | ${90}   | ${360}
	${'one class 401'}                  | ${DENIED}         | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${5}    | ${60}
	${'one class 403'}                  | ${FORBIDDEN}      | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${2}    | ${60}
	${'one class 500, in turn'}         | ${FAILED}         | ${everyOtherItem}         | ${60}   | ${TEN}         | ${30}  | ${5}    | ${60}
	${'one item 503'}                   | ${later(0)}       | ${firstItem}              | ${31}   | ${TEN}         | ${30}  | ${90}   | ${60}
	${'one item 503'}                   | ${later(0)}       | ${firstItem}              | ${31}   | ${NO_RETRY}    | ${30}  | ${10}   | ${31}
	${'one item 429'}                   | ${LIMITED}        | ${firstItem}              | ${31}   | ${TEN}         | ${30}  | ${90}   | ${70}
	${'400 of 600: 500 after 5 s'}      | ${FAILED_LATE}    | ${first400}               | ${600}  | ${TEN}         | ${200} | ${240}  | ${600}
	${'one class 504 after 60 s'}       | ${slow(60)}       | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${270}  | ${60}
	${'changes 504 after 60 s'}         | ${slow(60)}       | ${changes}                | ${1000} | ${TEN}         | ${0}   | ${130}  | ${20}
	${'changes 504 after 60 s'}         | ${slow(60)}       | ${changes}                | ${1000} | ${ONE}         | ${0}   | ${130}  | ${2}
	${'changes 500'}                    | ${FAILED}         | ${changes}                | ${500}  | ${TEN}         | ${0}   | ${80}   | ${50}
	${'read-only'}                      | ${UNAVAILABLE}    | ${changes}                | ${500}  | ${TEN}         | ${0}   | ${80}   | ${50}
	${'read-only, Retry-After 0'}       | ${later(0)}       | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${80}   | ${40}
	${'read-only, Retry-After 1'}       | ${later(1)}       | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${420}  | ${40}
	${'read-only, Retry-After 60'}      | ${later(60)}      | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${420}  | ${20}
	${'read-only, Retry-After 120'}     | ${later(120)}     | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${420}  | ${20}
	${'read-only, Retry-After 3600'}    | ${later(3600)}    | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${3}    | ${20}
	${'hangs, Timeout 1 s'}             | ${hang(1)}        | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${80}   | ${50}
	${'hangs, Timeout 1 s'}             | ${hang(1)}        | ${always}                 | ${60}   | ${ONE}         | ${0}   | ${80}   | ${25}
	${'hangs, Timeout 10 s'}            | ${hang(10)}       | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${110}  | ${60}
	${'hangs, Timeout 10 s'}            | ${hang(10)}       | ${always}                 | ${60}   | ${ONE}         | ${0}   | ${110}  | ${8}
	${'hangs, Timeout 300 s'}           | ${hang(300)}      | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${900}  | ${20}
	${'hangs, Timeout 300 s'}           | ${hang(300)}      | ${always}                 | ${60}   | ${ONE}         | ${0}   | ${900}  | ${3}
	${'wrong token'}                    | ${DENIED}         | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${15}
	${'wrong token'}                    | ${DENIED}         | ${always}                 | ${500}  | ${ONE}         | ${0}   | ${3}    | ${5}
	${'token that expires'}             | ${DENIED}         | ${after100}               | ${5000} | ${TEN}         | ${100} | ${80}   | ${160}
	${'token that expires'}             | ${DENIED}         | ${after100}               | ${5000} | ${ONE}         | ${100} | ${100}  | ${160}
	${'token that expires, one class'}  | ${DENIED}         | ${first40AndAfter100}     | ${5000} | ${TEN}         | ${59}  | ${80}   | ${180}
	${'moves in mid-run'}               | ${MOVED}          | ${after100}               | ${5000} | ${TEN}         | ${100} | ${80}   | ${160}
	${'redirects, once expired'}        | ${REDIRECTED}     | ${after100}               | ${5000} | ${TEN}         | ${100} | ${80}   | ${160}
	${'redirects each change'}          | ${REDIRECTED}     | ${changes}                | ${1500} | ${TEN}         | ${0}   | ${3}    | ${15}
	${'one class 401, at the end'}      | ${DENIED}         | ${itemsAfter100}          | ${1500} | ${TEN}         | ${100} | ${80}   | ${160}
	${'changes 401 after 5 s'}          | ${DENIED_LATE}    | ${changes}                | ${1000} | ${TEN}         | ${0}   | ${20}   | ${20}
	${'most requests 401'}              | ${DENIED}         | ${twoOfThree}             | ${1500} | ${TEN}         | ${500} | ${80}   | ${1500}
	${'moved'}                          | ${MOVED}          | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${15}
	${'unknown host'}                   | ${NO_HOST}        | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${15}
	${'unknown host'}                   | ${NO_HOST}        | ${always}                 | ${1}    | ${TEN}         | ${0}   | ${3}    | ${5}
	${'unknown host in mid-run'}        | ${NO_HOST}        | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${350}
	${'no service'}                     | ${REFUSED}        | ${always}                 | ${60}   | ${HASTY}       | ${0}   | ${8}    | ${30}
	${'no service'}                     | ${REFUSED}        | ${always}                 | ${60}   | ${NEVER_AGAIN} | ${0}   | ${1}    | ${20}
	${'every other response 503'}       | ${UNAVAILABLE}    | ${everyOther}             | ${60}   | ${NEVER_AGAIN} | ${25}  | ${2}    | ${60}
	${'down for 45 s'}                  | ${UNAVAILABLE}    | ${between(1500, 46_500)}  | ${300}  | ${HASTY}       | ${90}  | ${12}   | ${200}
	${'down for 200 s'}                 | ${UNAVAILABLE}    | ${between(1500, 201_500)} | ${300}  | ${PATIENT}     | ${300} | ${280}  | ${350}
	${'one item 503, Retry-After 3600'} | ${later(3600)}    | ${firstItem}              | ${31}   | ${TEN}         | ${30}  | ${2}    | ${31}
	${'always Retry-After 45'}          | ${later(45)}      | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${60}   | ${15}
	${'untrusted certificate'}          | ${UNTRUSTED}      | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${15}
`('$service: $items items, $settings', async ({ response, when, ...row }: Row) => {
	const runs = await simulateAll(respond(response, when), row.items, row.settings);
	const figures = runs.map(toFigures);
	expect(figures.filter(({ done }) => done < row.done)).toEqual([]);
	expect(figures.filter(({ seconds }) => seconds > row.seconds)).toEqual([]);
	expect(figures.filter(({ requests }) => requests > row.requests)).toEqual([]);
});

test('a few slow responses with status 401 do not end a run that has worked', async () => {
	const slow401 = { ...DENIED, ms: 110_000 };
	const service = respond(slow401, ({ item = 0 }) => item >= 1 && item <= 4);
	for (const { done } of await simulateAll(service, 20, ONE)) expect(done.size).toBe(16);
});

test('a class with status 401 ends no run that has worked', async () => {
	const service = respond(DENIED, ({ item = 0 }) => item >= 100 && item < 1000);
	const figures = (await simulateAll(service, 1500, TEN)).map(toFigures);
	expect(figures.filter(({ done }) => done < 600)).toEqual([]);
	expect(figures.filter(({ requests }) => requests > 1503)).toEqual([]);
});

test.each([
	['503', 300, TEN, UNAVAILABLE],
	['503', 300, ONE, UNAVAILABLE],
	['503', 500, TEN, UNAVAILABLE],
	['503', 500, ONE, UNAVAILABLE],
	['refused', 60, TEN, REFUSED],
])('half %s, at random, %i items: hardly one is lost: %j', async (_how, items, settings, how) => {
	const figures = (await simulateAll(respond(how, half), items, settings)).map(toFigures);
	expect(figures.filter(({ done }) => done < items).slice(SEEDS.length / 200)).toEqual([]);
	expect(figures.filter(({ seconds }) => seconds > 20 + 0.5 * items)).toEqual([]);
});

test.each<[service: string, Response, When, Settings, mostLost: number]>([
	['down for 1.5 s (500), twice', FAILED, twice, TEN, 38],
	['half 500, at random', FAILED, half, TEN, 160],
	['half 503, at random', UNAVAILABLE, half, LINKS, 160],
	['down for 1.5 s, Retry-After 1, twice', later(1), twice, LINKS, 0],
])('%s: loses only what may have been done', async (_what, response, when, settings, mostLost) => {
	const runs = await simulateAll(respond(response, when), 300, settings);
	for (const { requests, done } of runs) {
		const lost = requests.filter(({ item }) => !done.has(item!));
		const cutOff = lost.filter((sent) => !isRepeatable(sent.response, settings));
		expect(cutOff).toHaveLength(300 - done.size);
	}
	expect(meanBy(runs, ({ done }) => 300 - done.size)).toBeLessThanOrEqual(mostLost);
});

test('a request waits longer after each try, and not always as long', async () => {
	const runs = await simulateAll(() => REFUSED, 1, {});
	for (const [n, least] of [500, 1000, 2000, 2000].entries()) {
		const waits = runs.map(({ requests }) => requests[n + 1]!.sentMs - requests[n]!.sentMs);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
		expect(Math.max(...waits)).toBeLessThanOrEqual(1.1 * least + 2);
		expect(new Set(waits).size).toBeGreaterThan(1);
	}
});

test.each([
	['one goes first where the service asks to wait', 10, later(3, 429), [10, 1, 2, 4, 8, 10, 5]],
	['as many as before go on', 1, FAILED, [10, 10, 10]],
])('after a failure, %s', async (_what, count, response, rounds) => {
	const service: Service = ({ index }) => ({ ...(index < count ? response : OK), ms: 100 });
	const { requests } = await simulate(service, 30, TEN);
	expect(Object.values(groupBy(requests, 'sentMs')).map(({ length }) => length)).toEqual(rounds);
});

const MIXED = [OK, UNAVAILABLE, OK, later(30), REJECTED];
test.each<[end: string, Service, Settings]>([
	['a failure', ({ index }) => MIXED[index % 5]!, STOP],
	['it was cancelled', () => UNAVAILABLE, CANCEL],
	['it was cancelled', () => REFUSED, CANCEL],
	['it was cancelled', () => later(30), CANCEL],
])('after %s, a run starts nothing and waits for nothing: %#', async (_end, service, settings) => {
	const { requests, ms } = await simulate(service, 300, settings);
	const failed = requests.filter(({ response }) => response === REJECTED);
	const endMs = Math.min(...failed.map((sent) => sent.endMs), settings.cancelAfterMs ?? Infinity);
	expect(requests.filter(({ sentMs }) => sentMs > endMs)).toEqual([]);
	expect(ms).toBeLessThanOrEqual(endMs + 150);
});

async function simulateAll(service: Service, items: number, settings: Settings): Promise<Run[]> {
	const runs = [];
	for (const seed of SEEDS) {
		const run = await simulate(service, items, settings, seed);
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
	const again = requests.filter((sent) => sent.item !== undefined && sent !== last.get(sent.item));
	expect(again.filter(({ response }) => !isRepeatable(response, settings))).toEqual([]);
	const atOnce = requests.map(
		({ sentMs }) => requests.filter((sent) => sent.sentMs <= sentMs && sentMs < sent.endMs).length,
	);
	expect(Math.max(...atOnce)).toBeLessThanOrEqual(settings.inFlight ?? 10);
}

function isRepeatable({ status, code, retryAfter }: Response, { isOnceOnly }: Settings): boolean {
	if (status === 503) return retryAfter !== undefined || !isOnceOnly;
	return status === 429 || code === REFUSED.code || code === NO_HOST.code;
}
