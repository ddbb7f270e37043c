import {
	DENIED,
	FAILED,
	FAILED_LATE,
	LIMITED,
	MOVED,
	OK,
	ONE,
	REDIRECTED,
	REFUSED,
	RESET,
	TEN,
	UNAVAILABLE,
	UNTRUSTED,
	after100,
	always,
	changes,
	first40,
	hang,
	later,
	respond,
	slow,
	type When,
} from './services';
import { type Response, type Run, type Settings, simulate } from './simulate';

// A run in which nothing gets through ends, whatever the service does.
const FAILURES: Array<[what: string, Response]> = [
	['500', FAILED],
	['500 after 5 s', FAILED_LATE],
	['504 after 60 s', slow(60)],
	['504 after 290 s', slow(290)],
	['503', UNAVAILABLE],
	...[0, 1, 60, 300, 3600].map((s): [string, Response] => [`503, Retry-After ${s}`, later(s)]),
	['429', LIMITED],
	['429, Retry-After 60', later(60, 429)],
	['429, Retry-After for ever', later('9223372036854775807', 429)],
	['401', DENIED],
	['401 after 60 s', { ...DENIED, ms: 60_000 }],
	['308', MOVED],
	['302 after 60 s', { ...REDIRECTED, ms: 60_000 }],
	['no connection', REFUSED],
	['a broken connection', RESET],
	['an untrusted certificate', UNTRUSTED],
	...[1, 60, 300].map((s): [string, Response] => [`hangs, Timeout ${s} s`, hang(s)]),
];
/** Where it happens, and with how many items. */
const WHERE: Array<[where: string, When, items: number[]]> = [
	['everywhere', always, [60]],
	['for changes', changes, [60, 5000]],
	['for changes after 100', (arrival) => changes(arrival) && after100(arrival), [500]],
];
/** One at a time, with 500 at most: 5,000 would take the tests a minute. */
const ONE_LINK: Settings = { ...ONE, isOnceOnly: true };
const lastSuccess = ({ requests }: Run) => {
	const served = requests.filter(({ item, response }) => item !== undefined && response === OK);
	return Math.max(0, ...served.map(({ endMs }) => endMs));
};

test.each(
	FAILURES.flatMap(([what, response]) =>
		WHERE.map(([where, when, sizes]) => ({ what, where, response, when, sizes })),
	),
)('$what $where', async ({ response, when, sizes }) => {
	const runs = [];
	for (const size of sizes) {
		runs.push(await simulate(respond(response, when), size, TEN));
		runs.push(await simulate(respond(response, when), Math.min(size, 500), ONE_LINK));
	}
	const times = runs.map((run) => (run.ms - lastSuccess(run)) / 60_000);
	expect(Math.max(...times)).toBeLessThanOrEqual(11);
});

/** Whether the good ones have their turn before patience is over. */
const reachesOthers = ({ ms = 0, retryAfter = 0 }: Response, settings: Settings) =>
	ms <= (settings === TEN ? 60_000 : 5000) && Number(retryAfter) <= 60;
const ofOneClass = FAILURES.filter(([, response]) => ![REFUSED, UNTRUSTED].includes(response));
test.each(
	ofOneClass.flatMap(([what, response]) =>
		[TEN, ONE]
			.filter((settings) => reachesOthers(response, settings))
			.map((settings) => ({ what, response, settings })),
	),
)('40 bad ones cost no good one: $what, $settings', async ({ response, settings }) => {
	const run = await simulate(respond(response, first40), 60, settings);
	expect(run.done.size).toBe(20);
});
