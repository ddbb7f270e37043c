import { DateTime, IANAZone } from 'luxon';
import { parseDate, parseDurationEnd } from '../../nodes/ClassEnrollment/values/expiration';

const SAO_PAULO = IANAZone.create('America/Sao_Paulo');
const BERLIN = IANAZone.create('Europe/Berlin');

test.each([
	['2027-01-31', SAO_PAULO, '2027-01-31T03:00:00.000Z'],
	['2027-07-01', BERLIN, '2027-06-30T22:00:00.000Z'],
	['2027-01-31T00:00:00', SAO_PAULO, '2027-01-31T03:00:00.000Z'],
	['2027-01-31 10:20', SAO_PAULO, '2027-01-31T13:20:00.000Z'],
	['2027-01-31 10:20:30 +02:00', SAO_PAULO, '2027-01-31T08:20:30.000Z'],
	['2027-01-31  10:20:30  +02:00', SAO_PAULO, '2027-01-31T08:20:30.000Z'],
	['2027-01-31T10:20:30 +02:00', SAO_PAULO, '2027-01-31T08:20:30.000Z'],
	['2027-01-31T10:20:30.123456Z', BERLIN, '2027-01-31T10:20:30.123Z'],
	['2027-01-31t10:20:30z', BERLIN, '2027-01-31T10:20:30.000Z'],
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

test('a Luxon DateTime and a Date keep their moment', () => {
	const moment = DateTime.fromISO('2027-01-31T10:00:00+09:00', { setZone: true });
	expect(parseDate(moment, 'Date', SAO_PAULO)).toBe('2027-01-31T01:00:00.000Z');
	expect(parseDate(moment.toUTC(), 'Date', SAO_PAULO)).toBe('2027-01-31T01:00:00.000Z');
	expect(parseDate(moment.toJSDate(), 'Date', SAO_PAULO)).toBe('2027-01-31T01:00:00.000Z');
});

test.each([
	'',
	' ',
	null,
	undefined,
	'2027-02-29',
	'2027-02-29T00:00:00Z',
	'2027-04-31T00:00:00.000Z',
	'2027-01-31T25:00:00Z',
	'27-01-31',
	'+002027-01-31',
	'1899-12-31T23:59:59',
	'1899-12-31T23:59:59Z',
	'9999-12-31T23:59:59-01:00',
	'20270131',
	'2027-W05',
	'tomorrow',
	1_800_000_000,
	true,
	{},
	[],
	new Date(NaN),
	DateTime.invalid('x'),
])('no date: %p', (value) => {
	expect(() => parseDate(value, 'Ends', BERLIN)).toThrow(/'Ends' is (empty|not a date)/);
});

test.each([
	[1, 'months', '2027-01-31T12:00:00', '2027-02-28T12:00:00'],
	[1, 'months', '2028-01-31T12:00:00', '2028-02-29T12:00:00'],
	[12, 'months', '2027-03-30T12:00:00', '2028-03-30T12:00:00'],
	[1, 'years', '2028-02-29T12:00:00', '2029-02-28T12:00:00'],
	// Summer time begins: the day has 23 hours, and the time of day stays.
	[1, 'days', '2027-03-27T12:00:00', '2027-03-28T12:00:00'],
	['2', 'weeks', '2027-01-01T00:00:00', '2027-01-15T00:00:00'],
	[7972, 'years', '2027-12-31T12:00:00', '9999-12-31T12:00:00'],
])('%p %s after %s', (amount, unit, from, end) => {
	const local = (text: string) => DateTime.fromISO(text, { zone: BERLIN });
	expect(parseDurationEnd(amount, unit, local(from))).toBe(local(end).toUTC().toISO());
});

test.each([7973, 1_000_000])('%i years take too long', (amount) => {
	const from = DateTime.fromISO('2027-12-31T12:00:00', { zone: BERLIN });
	expect(() => parseDurationEnd(amount, 'years', from)).toThrow(/'Duration' is too long/);
});
