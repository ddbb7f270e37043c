import { groupBy, meanBy } from 'lodash';
import { TIMES } from '../property';
import {
	respond,
	responseOf,
	type Response,
	type Run,
	type ServiceModel,
	type Settings,
	simulate,
	type When,
} from './simulate';

const SEEDS = [...Array(Math.ceil(5 * TIMES)).keys()];

const TEN: Settings = { inFlight: 10 };
const ONE: Settings = { inFlight: 1 };
const PATIENT: Settings = { giveUpAfter: 300 };
const HASTY: Settings = { giveUpAfter: 5 };
const BRIEF: Settings = { giveUpAfter: 1 };
const NEVER_AGAIN: Settings = { giveUpAfter: 0 };
const NO_RETRY: Settings = { inFlight: 1, giveUpAfter: 0 };
const LINKS: Settings = { isIdempotent: false };
const STOP: Settings = { continuesOnFail: false };

/* When a service responds in its way; else, a request succeeds. */
const always: When = () => true;
const everyOther: When = ({ index }) => index % 2 === 0;
const half: When = ({ chance }) => chance < 0.5;
const after100: When = ({ index }) => index >= 100;
const changes: When = ({ item }) => item !== undefined;
const firstItem: When = ({ item }) => item === 0;
const everyOtherItem: When = ({ item = 1 }) => item % 2 === 0;
const sixAtEachEnd: When = ({ item = 6 }) => item < 6 || item >= 56;
/** As of one class of two. */
const first40: When = ({ item = 40 }) => item < 40;
const first300: When = ({ item = 300 }) => item < 300;
const first400: When = ({ item = 400 }) => item < 400;
const first40AndAfter100: When = (arrival) => first40(arrival) || after100(arrival);
const items1To4: When = ({ item = 0 }) => item >= 1 && item <= 4;
const items100To1000: When = ({ item = 0 }) => item >= 100 && item < 1000;
const twoOfThree: When = ({ item = 0 }) => item % 3 > 0;
const between =
	(from: number, to: number): When =>
	({ ms }) =>
		ms >= from && ms < to;
const twice: When = (arrival) => between(500, 2000)(arrival) || between(3500, 5000)(arrival);
/** Beyond so many in a time. */
const beyond =
	(count: number, perMs: number): When =>
	({ ms, servedSince }) =>
		servedSince(ms - (ms % perMs)) >= count;

/** At least so many items are done, in so many seconds and with so many requests at most. */
interface Row {
	response: string;
	when: When;
	items: number;
	settings: Settings;
	done: number;
	seconds: number;
	requests: number;
}

test.each`
	service                             | response                         | when                      | items   | settings       | done   | seconds | requests
	${'no service'}                     | ${'ECONNREFUSED'}                | ${always}                 | ${5000} | ${TEN}         | ${0}   | ${67}   | ${40}
	${'no service'}                     | ${'ECONNREFUSED'}                | ${always}                 | ${1}    | ${TEN}         | ${0}   | ${67}   | ${20}
	${'one of two servers'}             | ${'ECONNREFUSED'}                | ${everyOther}             | ${60}   | ${TEN}         | ${60}  | ${14}   | ${130}
	${'every other response 503'}       | ${'503'}                         | ${everyOther}             | ${60}   | ${PATIENT}     | ${60}  | ${14}   | ${130}
	${'60 a minute'}                    | ${'429'}                         | ${beyond(60, 60_000)}     | ${300}  | ${TEN}         | ${300} | ${274}  | ${420}
	${'1 a second'}                     | ${'429'}                         | ${beyond(1, 1000)}        | ${100}  | ${TEN}         | ${100} | ${110}  | ${450}
	${'20 a second, Retry-After 1'}     | ${'429, Retry-After 1'}          | ${beyond(20, 1000)}       | ${300}  | ${TEN}         | ${300} | ${30}   | ${450}
	${'12 in 8 s, Retry-After 1'}       | ${'429, Retry-After 1'}          | ${beyond(12, 8000)}       | ${30}   | ${TEN}         | ${30}  | ${20}   | ${80}
	${'429, Retry-After 60 once'}       | ${'429, Retry-After 60'}         | ${between(0, 60_000)}     | ${60}   | ${TEN}         | ${60}  | ${70}   | ${75}
	${'always 429'}                     | ${'429'}                         | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${67}   | ${24}
	${'always 429'}                     | ${'429'}                         | ${always}                 | ${1}    | ${TEN}         | ${0}   | ${67}   | ${20}
	${'down for 10 s'}                  | ${'503'}                         | ${between(500, 10_500)}   | ${300}  | ${TEN}         | ${300} | ${18}   | ${335}
	${'down for 10 s, from the start'}  | ${'503'}                         | ${between(0, 10_000)}     | ${1}    | ${TEN}         | ${1}   | ${14}   | ${10}
	${'down for 10 s, from the start'}  | ${'503'}                         | ${between(0, 10_000)}     | ${2}    | ${PATIENT}     | ${2}   | ${14}   | ${20}
	${'down for 10 s, at the last one'} | ${'503'}                         | ${between(175, 10_175)}   | ${3}    | ${ONE}         | ${3}   | ${14}   | ${13}
	${'down for 15 s, from the start'}  | ${'503'}                         | ${between(0, 15_000)}     | ${60}   | ${TEN}         | ${60}  | ${21}   | ${100}
	${'down in mid-run, for good'}      | ${'503'}                         | ${after100}               | ${500}  | ${TEN}         | ${100} | ${69}   | ${145}
	${'down for 45 s'}                  | ${'503'}                         | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${62}   | ${345}
	${'down for 45 s'}                  | ${'503'}                         | ${between(1500, 46_500)}  | ${300}  | ${ONE}         | ${300} | ${100}  | ${345}
	${'down for 45 s, Retry-After 5'}   | ${'503, Retry-After 5'}          | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${325}
	${'not there for 45 s'}             | ${'ECONNREFUSED'}                | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${350}
	${'one class 503'}                  | ${'503'}                         | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${70}   | ${110}
	${'one class 500'}                  | ${'500'}                         | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${5}    | ${60}
	${'300 of 360: 500'}                | ${'500'}                         | ${first300}               | ${360}  | ${TEN}         | ${60}  | ${76}   | ${360}
	${'one class 401'}                  | ${'401'}                         | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${5}    | ${60}
	${'one class 403'}                  | ${'403'}                         | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${2}    | ${60}
	${'one class 500, in turn'}         | ${'500'}                         | ${everyOtherItem}         | ${60}   | ${TEN}         | ${30}  | ${5}    | ${60}
	${'one item 503'}                   | ${'503, Retry-After 0'}          | ${firstItem}              | ${31}   | ${TEN}         | ${30}  | ${70}   | ${60}
	${'one item 503'}                   | ${'503, Retry-After 0'}          | ${firstItem}              | ${31}   | ${NO_RETRY}    | ${30}  | ${10}   | ${31}
	${'one item 429'}                   | ${'429'}                         | ${firstItem}              | ${31}   | ${TEN}         | ${30}  | ${70}   | ${70}
	${'400 of 600: 500 after 5 s'}      | ${'500 after 5 s'}               | ${first400}               | ${600}  | ${TEN}         | ${200} | ${240}  | ${600}
	${'one class 504 after 60 s'}       | ${'504 after 60 s'}              | ${first40}                | ${60}   | ${TEN}         | ${20}  | ${311}  | ${60}
	${'changes 504 after 60 s'}         | ${'504 after 60 s'}              | ${changes}                | ${1000} | ${TEN}         | ${0}   | ${130}  | ${3}
	${'changes 504 after 60 s'}         | ${'504 after 60 s'}              | ${changes}                | ${1000} | ${ONE}         | ${0}   | ${130}  | ${2}
	${'read-only'}                      | ${'503'}                         | ${changes}                | ${500}  | ${TEN}         | ${0}   | ${67}   | ${28}
	${'read-only, Retry-After 0'}       | ${'503, Retry-After 0'}          | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${67}   | ${24}
	${'read-only, Retry-After 1'}       | ${'503, Retry-After 1'}          | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${68}   | ${21}
	${'read-only, Retry-After 60'}      | ${'503, Retry-After 60'}         | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${70}   | ${3}
	${'read-only, Retry-After 3600'}    | ${'503, Retry-After 3600'}       | ${changes}                | ${40}   | ${TEN}         | ${0}   | ${67}   | ${24}
	${'hangs, Timeout 1 s'}             | ${'ETIMEDOUT after 1 s'}         | ${always}                 | ${60}   | ${ONE}         | ${0}   | ${69}   | ${25}
	${'hangs, Timeout 10 s'}            | ${'ETIMEDOUT after 10 s'}        | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${89}   | ${8}
	${'hangs, Timeout 10 s'}            | ${'ETIMEDOUT after 10 s'}        | ${always}                 | ${60}   | ${ONE}         | ${0}   | ${89}   | ${8}
	${'hangs, Timeout 300 s'}           | ${'ETIMEDOUT after 300 s'}       | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${660}  | ${3}
	${'hangs, Timeout 300 s'}           | ${'ETIMEDOUT after 300 s'}       | ${always}                 | ${60}   | ${ONE}         | ${0}   | ${660}  | ${3}
	${'wrong token'}                    | ${'401'}                         | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${4}
	${'wrong token'}                    | ${'401'}                         | ${always}                 | ${500}  | ${ONE}         | ${0}   | ${3}    | ${4}
	${'token that expires'}             | ${'401'}                         | ${after100}               | ${5000} | ${TEN}         | ${100} | ${69}   | ${160}
	${'token that expires'}             | ${'401'}                         | ${after100}               | ${5000} | ${ONE}         | ${100} | ${78}   | ${160}
	${'token that expires, one class'}  | ${'401'}                         | ${first40AndAfter100}     | ${5000} | ${TEN}         | ${59}  | ${72}   | ${180}
	${'redirects each change'}          | ${'302'}                         | ${changes}                | ${1500} | ${TEN}         | ${0}   | ${3}    | ${4}
	${'one class 401, in the middle'}   | ${'401'}                         | ${items100To1000}         | ${1500} | ${TEN}         | ${600} | ${103}  | ${1503}
	${'a few 401 after 110 s'}          | ${'401 after 110 s'}             | ${items1To4}              | ${20}   | ${ONE}         | ${16}  | ${450}  | ${20}
	${'changes 401 after 5 s'}          | ${'401 after 5 s'}               | ${changes}                | ${1000} | ${TEN}         | ${0}   | ${26}   | ${4}
	${'most requests 401'}              | ${'401'}                         | ${twoOfThree}             | ${1500} | ${TEN}         | ${500} | ${54}   | ${1500}
	${'moved'}                          | ${'308'}                         | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${4}
	${'unknown host'}                   | ${'ENOTFOUND'}                   | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${4}
	${'unknown host'}                   | ${'ENOTFOUND'}                   | ${always}                 | ${1}    | ${TEN}         | ${0}   | ${3}    | ${4}
	${'unknown host in mid-run'}        | ${'ENOTFOUND'}                   | ${between(1500, 46_500)}  | ${300}  | ${TEN}         | ${300} | ${70}   | ${350}
	${'no service'}                     | ${'ECONNREFUSED'}                | ${always}                 | ${60}   | ${HASTY}       | ${0}   | ${8}    | ${17}
	${'no service'}                     | ${'ECONNREFUSED'}                | ${always}                 | ${60}   | ${NEVER_AGAIN} | ${0}   | ${1}    | ${60}
	${'every other response 503'}       | ${'503'}                         | ${everyOther}             | ${60}   | ${NEVER_AGAIN} | ${30}  | ${2}    | ${60}
	${'six at each end 503'}            | ${'503'}                         | ${sixAtEachEnd}           | ${62}   | ${NEVER_AGAIN} | ${50}  | ${2}    | ${62}
	${'six at each end 429, after 1 s'} | ${'429, Retry-After 1'}          | ${sixAtEachEnd}           | ${62}   | ${NEVER_AGAIN} | ${50}  | ${2}    | ${62}
	${'six at each end 429'}            | ${'429'}                         | ${sixAtEachEnd}           | ${62}   | ${NEVER_AGAIN} | ${50}  | ${10}   | ${62}
	${'six at each end hang'}           | ${'ETIMEDOUT after 10 s'}        | ${sixAtEachEnd}           | ${62}   | ${NEVER_AGAIN} | ${50}  | ${32}   | ${62}
	${'wrong token'}                    | ${'401'}                         | ${always}                 | ${500}  | ${NEVER_AGAIN} | ${0}   | ${3}    | ${4}
	${'one class 503'}                  | ${'503'}                         | ${first40}                | ${60}   | ${BRIEF}       | ${20}  | ${8}    | ${110}
	${'one of two servers'}             | ${'ECONNREFUSED'}                | ${everyOther}             | ${60}   | ${BRIEF}       | ${60}  | ${14}   | ${130}
	${'down for 40 s, Retry-After 30'}  | ${'503, Retry-After 30'}         | ${between(0, 40_000)}     | ${60}   | ${TEN}         | ${60}  | ${70}   | ${63}
	${'one class 503, Retry-After 300'} | ${'503, Retry-After 300'}        | ${first40}                | ${140}  | ${TEN}         | ${100} | ${8}    | ${140}
	${'one class 429, Retry-After 300'} | ${'429, Retry-After 300'}        | ${first40}                | ${140}  | ${TEN}         | ${100} | ${8}    | ${140}
	${'down for 45 s'}                  | ${'503'}                         | ${between(1500, 46_500)}  | ${300}  | ${HASTY}       | ${90}  | ${12}   | ${200}
	${'down for 200 s'}                 | ${'503'}                         | ${between(1500, 201_500)} | ${300}  | ${PATIENT}     | ${300} | ${280}  | ${350}
	${'one item 503, Retry-After 3600'} | ${'503, Retry-After 3600'}       | ${firstItem}              | ${31}   | ${TEN}         | ${30}  | ${2}    | ${31}
	${'always Retry-After 45'}          | ${'503, Retry-After 45'}         | ${always}                 | ${60}   | ${TEN}         | ${0}   | ${100}  | ${4}
	${'untrusted certificate'}          | ${'DEPTH_ZERO_SELF_SIGNED_CERT'} | ${always}                 | ${500}  | ${TEN}         | ${0}   | ${3}    | ${4}
`('$service: $items items, $settings', async ({ response, when, ...row }: Row) => {
	const runs = await simulateAll(respond(response, when), row.items, row.settings);
	const figures = runs.map(toFigures);
	expect(figures.filter(({ done }) => done < row.done)).toEqual([]);
	expect(figures.filter(({ seconds }) => seconds > row.seconds)).toEqual([]);
	expect(figures.filter(({ requests }) => requests > row.requests)).toEqual([]);
});

test('a token that is not accepted ends a run soon, also where the first responses are slow', async () => {
	const slow = [1, 2, 3, 4, 5].map((seconds) => respond(`401 after ${seconds} s`, always));
	const service: ServiceModel = (arrival) =>
		(slow[arrival.index] ?? respond('401', always))(arrival);
	for (const run of await simulateAll(service, 500, TEN)) {
		expect(run.requests.length).toBeLessThanOrEqual(4);
	}
});

test('without retries, a wrong token ends a run soon, also where the first request failed otherwise', async () => {
	const service: ServiceModel = ({ index }) => responseOf(index === 0 ? 'ECONNRESET' : '401');
	for (const run of await simulateAll(service, 500, NEVER_AGAIN)) {
		expect(run.requests.length).toBeLessThanOrEqual(15);
	}
});

test.each([
	['503', 300, TEN],
	['503', 500, TEN],
	['503', 500, ONE],
	['ECONNREFUSED', 60, TEN],
])('half %s, at random, %i items: hardly one is lost: %j', async (how, items, settings) => {
	const figures = (await simulateAll(respond(how, half), items, settings)).map(toFigures);
	expect(figures.filter(({ done }) => done < items).slice(SEEDS.length / 200)).toEqual([]);
	expect(figures.filter(({ seconds }) => seconds > 20 + 0.5 * items)).toEqual([]);
});

test.each<[service: string, response: string, When, Settings, mostLost: number]>([
	['down for 1.5 s (500), twice', '500', twice, TEN, 38],
	['half 500, at random', '500', half, TEN, 160],
	['half 503, at random', '503', half, LINKS, 160],
	['down for 1.5 s, Retry-After 1, twice', '503, Retry-After 1', twice, LINKS, 0],
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
	const runs = await simulateAll(respond('ECONNREFUSED', always), 1, {});
	for (const [n, least] of [500, 1000, 2000, 2000].entries()) {
		const waits = runs.map(({ requests }) => requests[n + 1]!.sentMs - requests[n]!.sentMs);
		expect(Math.min(...waits)).toBeGreaterThanOrEqual(least);
		expect(Math.max(...waits)).toBeLessThanOrEqual(1.1 * least + 2);
		expect(new Set(waits).size).toBeGreaterThan(1);
	}
});

test.each([
	['one goes first at all', 0, '500', [1, 10, 10, 9]],
	[
		'one goes first where the service asks to wait',
		10,
		'429, Retry-After 3',
		[1, 10, 1, 2, 4, 8, 10, 4],
	],
	['as many as before go on', 1, '500', [1, 10, 10, 9]],
])('after a failure, %s', async (_what, count, response, rounds) => {
	const service: ServiceModel = ({ index }) => ({
		...responseOf(index > 0 && index <= count ? response : '200'),
		ms: 100,
	});
	const { requests } = await simulate(service, 30, TEN);
	expect(Object.values(groupBy(requests, 'sentMs')).map(({ length }) => length)).toEqual(rounds);
});

const MIXED = ['200', '503', '200', '503, Retry-After 30', '400'].map(responseOf);
test('after a failure that stops the node, it starts nothing and waits for nothing', async () => {
	const service: ServiceModel = ({ index }) => MIXED[index % 5]!;
	const { requests, ms } = await simulate(service, 300, STOP);
	const failed = requests.filter(({ response }) => response.status === 400);
	const endMs = Math.min(...failed.map((sent) => sent.endMs));
	expect(requests.filter(({ sentMs }) => sentMs > endMs)).toEqual([]);
	expect(ms).toBeLessThanOrEqual(endMs + 150);
});

/** Requests that fail in every way, of which nothing gets through. */
const FAILURES = [
	...['500', '500 after 5 s', '504 after 60 s', '504 after 290 s', '503', '429', '401', '308'],
	...[0, 1, 60, 300, 3600].map((seconds) => `503, Retry-After ${seconds}`),
	...['429, Retry-After 60', '429, Retry-After 86400'],
	...['401 after 60 s', '302 after 60 s', 'ECONNRESET'],
	...[1, 60, 300].map((seconds) => `ETIMEDOUT after ${seconds} s`),
];
/** The same, of a service that cannot be reached. */
const UNREACHED = ['ECONNREFUSED', 'DEPTH_ZERO_SELF_SIGNED_CERT'];
/** Where it happens, and with how many items. */
const WHERE: Array<[where: string, When, items: number[]]> = [
	['everywhere', always, [60]],
	['for changes', changes, [60, 5000]],
	['for changes after 100', (arrival) => changes(arrival) && after100(arrival), [500]],
];
/** One at a time, with 500 at most: 5,000 would take the tests a minute. */
const ONE_LINK: Settings = { ...ONE, isIdempotent: false };

test.each(
	[...FAILURES, ...UNREACHED].flatMap((response) =>
		WHERE.map(([where, when, sizes]) => ({ response, where, when, sizes })),
	),
)(
	'a run ends in which nothing gets through: $response $where',
	async ({ response, when, sizes }) => {
		for (const size of sizes) {
			for (const [items, settings] of [
				[size, TEN],
				[Math.min(size, 500), ONE_LINK],
			] as const) {
				const { requests, ms } = await simulate(respond(response, when), items, settings);
				const served = requests.filter(
					({ item, response }) => item !== undefined && response.status === 200,
				);
				const lastSuccess = Math.max(0, ...served.map(({ endMs }) => endMs));
				expect(ms - lastSuccess).toBeLessThanOrEqual(11 * 60_000);
			}
		}
	},
);

/** Whether the good ones have their turn before it gives up. */
const reachesOthers = (response: string, settings: Settings) => {
	const { ms = 0 } = responseOf(response);
	return ms <= (settings === TEN ? 60_000 : 5000);
};
test.each(
	[TEN, ONE].flatMap((settings) =>
		FAILURES.filter((response) => reachesOthers(response, settings)).map((response) => ({
			response,
			settings,
		})),
	),
)('40 bad ones cost no good one: $response, $settings', async ({ response, settings }) => {
	expect((await simulate(respond(response, first40), 60, settings)).done.size).toBe(20);
});

async function simulateAll(
	service: ServiceModel,
	items: number,
	settings: Settings,
): Promise<Run[]> {
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

function isRepeatable(
	{ status, code, retryAfter }: Response,
	{ isIdempotent = true }: Settings,
): boolean {
	if (status === 503) return retryAfter !== undefined || isIdempotent;
	return status === 429 || ['ECONNREFUSED', 'ENOTFOUND'].includes(code!);
}
