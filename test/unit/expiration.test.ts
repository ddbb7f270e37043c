import { DateTime, IANAZone } from 'luxon';
import { parseDate, parseDurationEnd } from '../../nodes/ClassEnrollment/values/expiration';

const SAO_PAULO = IANAZone.create('America/Sao_Paulo');
const BERLIN = IANAZone.create('Europe/Berlin');

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
	expect(parseDate(value, 'Date', zone)).toBe(utc);
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
	for (const zone of [SAO_PAULO, BERLIN]) expect(parseDate(value, 'Ends', zone)).toBe(MOMENT);
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
	expect(() => parseDate(value, 'Ends', BERLIN)).toThrow(/'Ends' is (empty|not a date)/);
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
