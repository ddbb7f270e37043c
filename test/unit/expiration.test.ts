import fc from 'fast-check';
import { DateTime, IANAZone } from 'luxon';
import { parseDate, parseDurationEnd } from '../../nodes/ClassEnrollment/values/expiration';
import { testProperty } from '../property';

const SAO_PAULO = IANAZone.create('America/Sao_Paulo');
const BERLIN = IANAZone.create('Europe/Berlin');
const timeIn = (zone: IANAZone) => () => DateTime.fromMillis(0, { zone });

test.each([
	['2027-01-31', SAO_PAULO, '2027-01-31T03:00:00.000Z'],
	['2027-01-31 10:20', SAO_PAULO, '2027-01-31T13:20:00.000Z'],
	['2027-01-31T10:20:30.123456Z', BERLIN, '2027-01-31T10:20:30.123Z'],
	[' 2027-01-31T10:20:30-03:00 ', BERLIN, '2027-01-31T13:20:30.000Z'],
	['2028-02-29', BERLIN, '2028-02-28T23:00:00.000Z'],
	// In the hour that the clock skips in spring.
	['2027-03-28T02:30:00', BERLIN, '2027-03-28T01:30:00.000Z'],
	['1900-01-01T01:00:00', BERLIN, '1900-01-01T00:00:00.000Z'],
	['1900-01-01T00:00:00Z', BERLIN, '1900-01-01T00:00:00.000Z'],
	['9999-12-31', BERLIN, '9999-12-30T23:00:00.000Z'],
	['9999-12-31T23:59:59Z', BERLIN, '9999-12-31T23:59:59.000Z'],
])('the date %j in %s', (value, zone, utc) => {
	expect(parseDate(value, 'Date', timeIn(zone))).toBe(utc);
});

const MOMENT = '2027-01-31T20:20:30.123Z';

test.each([
	'2027-01-31T17:20:30.123-03:00',
	'2027-01-31T17:20:30.123-0300',
	'2027-02-01T10:20:30.123+14:00',
	'2027-01-31 17:20:30.123-03:00',
	...[MOMENT, new Date(MOMENT)],
	...[SAO_PAULO, BERLIN].map((zone) => DateTime.fromISO(MOMENT, { zone })),
])('%s keeps its moment in every zone', (value) => {
	for (const zone of [SAO_PAULO, BERLIN])
		expect(parseDate(value, 'Ends', timeIn(zone))).toBe(MOMENT);
});

const NO_DAYS = [
	...['2027-02-29', '2100-02-29', '2028-02-30', '2027-04-31', '2027-06-31', '2027-11-31'],
	...['2027-13-01', '2027-00-10', '2027-01-00', '2027-01-32'],
];
const TIMES = ['', 'T10:20:30', ' 10:20', 'T10:20:30Z', 'T10:20:30.5Z', 'T10:20:30-03:00'];
const NO_TIMES = ['T24:00:01', 'T25:00:00', 'T10:60:00', 'T10:20:61', ' 10:2', 'Tmorning', '-05'];

test.each([
	...NO_DAYS.flatMap((day) => TIMES.map((time) => day + time)),
	...NO_TIMES.flatMap((time) => ['', 'Z', '+02:00'].map((offset) => `2027-05-20${time}${offset}`)),
	...['', ' ', null, undefined, 1_800_000_000, true, {}, [], new Date(NaN), DateTime.invalid('x')],
	...['27-01-31', '+002027-01-31', '20270131', '2027-W05', '2027', '12:30', 'tomorrow'],
	...['1899-12-31T23:59:59', '1899-12-31T23:59:59Z', '9999-12-31T23:59:59-01:00'],
])('no date: %p', (value) => {
	expect(() => parseDate(value, 'Ends', timeIn(BERLIN))).toThrow(/'Ends' is (empty|not a date)/);
});

test.each([
	[1, 'months', '2027-01-31T12:00:00', '2027-02-28T12:00:00'],
	[1, 'months', '2028-01-31T12:00:00', '2028-02-29T12:00:00'],
	[1, 'years', '2028-02-29T12:00:00', '2029-02-28T12:00:00'],
	// Summer time begins: the day has 23 hours, and the time of day stays.
	[1, 'days', '2027-03-27T12:00:00', '2027-03-28T12:00:00'],
	['2', 'weeks', '2027-01-01T00:00:00', '2027-01-15T00:00:00'],
	[7972, 'years', '2027-12-31T12:00:00', '9999-12-31T12:00:00'],
])('%p %s after %s', (amount, unit, from, end) => {
	const local = (text: string) => DateTime.fromISO(text, { zone: BERLIN });
	expect(parseDurationEnd(amount, unit, local(from))).toBe(local(end).toUTC().toISO());
});

describe('whatever the time zone and the time', () => {
	const MINUTE = 60_000;
	const DAY = 24 * 60 * MINUTE;
	const ZONES = [
		...['UTC', 'America/Sao_Paulo', 'America/New_York', 'America/St_Johns', 'America/Santiago'],
		...['Europe/Lisbon', 'Europe/Berlin', 'Europe/Dublin', 'Africa/Cairo', 'Africa/Casablanca'],
		...['Asia/Kathmandu', 'Asia/Beirut', 'Australia/Lord_Howe', 'Pacific/Apia'],
		...['Pacific/Chatham', 'Antarctica/Troll'],
	].map((name) => IANAZone.create(name));
	const settings = { dateStyle: 'short', timeStyle: 'medium' } as const;
	const clocks = new Map(
		ZONES.map(({ name: timeZone }) => {
			// Swedish is like ISO 8601.
			return [timeZone, new Intl.DateTimeFormat('sv-SE', { timeZone, ...settings })];
		}),
	);

	// A time that a clock shows is written as the moment at which a clock in UTC shows it.

	/** What a clock in the zone shows at a moment, according to JavaScript itself. */
	const shownAt = (moment: number, { name }: IANAZone) =>
		Date.parse(`${clocks.get(name)!.format(moment).replace(' ', 'T')}Z`);
	const offsetAt = (moment: number, zone: IANAZone) => shownAt(moment, zone) - moment;
	const textOf = (shown: number) => new Date(shown).toISOString().slice(0, 19);

	/** What is to become of a time: it stays, and one that the clock skips moves on by as much as the clock. */
	function onTheClock(shown: number, zone: IANAZone): number {
		const [before, after] = [offsetAt(shown - DAY, zone), offsetAt(shown + DAY, zone)];
		const isShown = [before, after].some((offset) => shownAt(shown - offset, zone) === shown);
		return isShown ? shown : shown + after - before;
	}

	/** The first change of the clock after a moment within a year, as the moment at which it happens. */
	function clockChangeAfter(moment: number, zone: IANAZone): number | undefined {
		const days = Array.from({ length: 366 }, (_, day) => moment + day * DAY);
		const before = days.find((day) => offsetAt(day, zone) !== offsetAt(day + DAY, zone));
		if (before === undefined) return undefined;
		let [from, to] = [before, before + DAY];
		while (to - from > 1000) {
			const middle = from + Math.floor((to - from) / 2000) * 1000;
			if (offsetAt(middle, zone) === offsetAt(before, zone)) from = middle;
			else to = middle;
		}
		return to;
	}

	/** A time on a clock from the first to the last year, every other one close to a change of the clock. */
	const clockTimes = (firstYear: number, lastYear: number) =>
		fc
			.record({
				zone: fc.constantFrom(...ZONES),
				minute: fc.integer({ min: Date.UTC(firstYear) / MINUTE, max: Date.UTC(lastYear) / MINUTE }),
				isNearChange: fc.boolean(),
				distance: fc.integer({ min: -3 * 60, max: 3 * 60 }),
			})
			.map(({ zone, minute, isNearChange, distance }) => {
				const any = minute * MINUTE;
				const change = isNearChange ? clockChangeAfter(any, zone) : undefined;
				const shown =
					change === undefined ? any : change + offsetAt(change - 1000, zone) + distance * MINUTE;
				return { zone, shown, text: textOf(shown) };
			});

	testProperty(
		'a date without a time zone is what the clock in the zone shows, or the beginning of its day',
		500,
		fc.property(
			clockTimes(2026, 2100),
			fc.constantFrom('T', ' ', undefined),
			({ zone, shown, text }, separator) => {
				const value = separator ? text.replace('T', separator) : text.slice(0, 10);
				const meant = separator ? shown : Date.parse(`${value}T00:00:00Z`);
				const utc = parseDate(value, 'Ends', timeIn(zone));
				expect(utc).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.000Z$/);
				const got = shownAt(Date.parse(utc), zone);
				expect(textOf(got)).toBe(textOf(onTheClock(meant, zone)));
			},
		),
	);

	testProperty(
		'a duration follows the calendar, and a longer one ends later',
		400,
		fc.property(
			clockTimes(2026, 2070),
			fc.integer({ min: 1, max: 40 }),
			fc.constantFrom('days', 'weeks', 'months', 'years'),
			({ zone, shown }, amount, unit) => {
				const moment = shown - offsetAt(shown - DAY, zone);
				const from = DateTime.fromMillis(moment, { zone });
				const end = Date.parse(parseDurationEnd(amount, unit, from));

				const start = new Date(shownAt(moment, zone));
				const expected = new Date(start);
				if (unit === 'days' || unit === 'weeks') {
					expected.setUTCDate(start.getUTCDate() + amount * (unit === 'days' ? 1 : 7));
				} else {
					const months = amount * (unit === 'months' ? 1 : 12);
					expected.setUTCDate(1);
					expected.setUTCMonth(start.getUTCMonth() + months);
					const [year, month] = [expected.getUTCFullYear(), expected.getUTCMonth()];
					const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
					expected.setUTCDate(Math.min(start.getUTCDate(), lastDay));
				}
				expect(textOf(shownAt(end, zone))).toBe(textOf(onTheClock(expected.getTime(), zone)));
				expect(end).toBeGreaterThan(moment);
				const longer = Date.parse(parseDurationEnd(amount + 1, unit, from));
				expect(longer).toBeGreaterThan(end);
			},
		),
	);
});
