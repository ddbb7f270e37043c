import { Settings } from 'luxon';

import { readEnd } from '../../examples/endOfAccess/readEnd';
import { next, type State } from '../../examples/endOfAccess/night';

const NOW = Date.parse('2027-02-01T12:00:00Z');
const GIVEN: State = {
	rows: [],
	now: NOW,
	today: '2027-02-01',
	isByHand: false,
	requested: [],
	answers: [],
	isNoted: false,
};

const row = (id: number, email: string, expiresAt: unknown, removedAt: unknown = null) => {
	return { id, email, expiresAt, removedAt };
};
const ENDED = row(1, 'ended@example.com', '2027-01-31');
const OTHER = row(2, 'other@example.com', '2027-01-31');
const EARLIER = row(3, 'earlier@example.com', '2027-01-01', '2027-01-02');

const dueOf = (...rows: object[]) =>
	next({ ...GIVEN, rows: rows as State['rows'] }).map((step) =>
		'email' in step ? step.email : step,
	);

/** What is next after these answers. */
function after(answers: State['answers'], rows: object[] = [ENDED, OTHER], isNoted = false) {
	const requested = rows.slice(0, answers.length) as Array<{ email: string }>;
	return () => next({ ...GIVEN, rows: rows as State['rows'], requested, answers, isNoted });
}

const DELETED = { deleted: true };
const rejected = (status?: number) => ({ error: 'No', outcome: 'rejected', status });

beforeAll(() => void (Settings.defaultZone = 'America/Sao_Paulo'));

test.each([
	['2027-01-31', '2027-02-01T02:59:59.999Z'],
	// As a column of dates stores a day.
	['2027-01-31T00:00:00.000Z', '2027-02-01T02:59:59.999Z'],
	[new Date('2027-01-31'), '2027-02-01T02:59:59.999Z'],
	// As databases and spreadsheets export a day.
	['2027-01-31 00:00:00', '2027-02-01T02:59:59.999Z'],
	['2027-01-31T12:00:00', '2027-01-31T15:00:00.000Z'],
	[' 2027-01-31T12:00:00Z ', '2027-01-31T12:00:00.000Z'],
])('access until %p ends at %p', (value, end) => {
	expect(new Date(readEnd(value)).toISOString()).toBe(end);
});

test.each([null, '', '  '])('access until %p never ends', (value) => {
	expect(readEnd(value)).toBe(Infinity);
});

test.each([
	...['31/01/2027', '2027-02-30', '2027', '46053', 46053, 'never', true, '2027-01'],
	...['1970-01-01', '1900-01-01', '2569-12-31'],
])('%p is no end of access', (value) => {
	expect(() => readEnd(value)).toThrow('expiresAt');
});

test('a student is due after the last of their rows, in any case', () => {
	expect(dueOf(ENDED, row(9, ' ENDED@example.com', '2027-01-30'))).toEqual(['ended@example.com']);
	const goesOn = row(9, 'Ended@Example.com ', '2027-03-01');
	expect(dueOf(ENDED, OTHER, goesOn)).toEqual(['other@example.com']);
	expect(dueOf(goesOn, ENDED, OTHER)).toEqual(['other@example.com']);
	expect(dueOf(ENDED, OTHER, { ...goesOn, expiresAt: null })).toEqual(['other@example.com']);
	const composed = { ...ENDED, email: 'josé@example.com' };
	const decomposed = { ...goesOn, email: composed.email.normalize('NFD') };
	expect(dueOf(composed, OTHER, decomposed)).toEqual(['other@example.com']);
	const hidden = { ...goesOn, email: 'ended@example.com\u200b' };
	expect(dueOf(ENDED, OTHER, hidden)).toEqual(['other@example.com']);
	// Who is removed has the address that is one.
	const ended = row(9, 'ended@example.com\u200b', '2027-01-30');
	expect(dueOf(ended, ENDED)).toEqual(['ended@example.com']);
	// What can't be read may say so, too.
	expect(dueOf(ENDED, OTHER, { ...goesOn, expiresAt: '1/3/2027' })).toEqual(['other@example.com']);
});

test.each([
	...['2026-01-31', '2026-01-31 03:00:00', ' 2026-01-31T03:00:00.000Z'],
	// As a spreadsheet shows it.
	...['31/01/2026', '1/31/2026', '31.01.2026', '02/03/2026'],
])(
	'a row whose end was changed after the removal of %p is named when its day has come',
	(removedAt) => {
		const again = row(9, 'again@example.com', '2027-01-30', removedAt);
		const says = `Row 9: again@example.com was removed on ${removedAt.trim()}, before expiresAt.`;
		expect(() => dueOf(again)).toThrow(says);
		expect(dueOf(ENDED, again)).toEqual(['ended@example.com']);
		expect(after([DELETED], [ENDED, again], true)).toThrow(says);
		const later = { ...again, expiresAt: '2027-02-28' };
		expect(dueOf(later)).toMatchObject([{ next: 'done' }]);
		const unreadable = { ...again, expiresAt: '1/3/2027' };
		expect(() => dueOf(unreadable)).toThrow('and its expiresAt is no day. If they');
		// Access goes on by another row.
		expect(dueOf(again, { ...later, id: 10, removedAt: '' })).toMatchObject([{ next: 'done' }]);
	},
);

// In the owner's time zone, it may be tomorrow already. 01/02/2027 may be 1 February.
test.each(['2027-01-31', '01/02/2027', 'on 2026-01-31', '2027-02-02'])(
	'a row that was removed on %p stays as it is',
	(removedAt) => {
		const removed = row(9, 'out@example.com', '2027-01-30', removedAt);
		expect(dueOf(removed)).toMatchObject([{ next: 'done' }]);
	},
);

test('a table without rows fails the night, as its rows may be in a table that was renamed', () => {
	const says = /^The table has no rows, so nobody is removed\. .* The next night/;
	expect(() => dueOf({})).toThrow(says);
	expect(() => dueOf()).toThrow(says);
	const [byHand] = next({ ...GIVEN, rows: [{}], isByHand: true });
	expect(byHand).toMatchObject({ next: 'done' });
	expect(dueOf({ id: 1, email: null, expiresAt: null })).toMatchObject([{ next: 'done' }]);
});

test.each(['email', 'expiresAt'])('a table without the column %s ends nobody', (column) => {
	const rows = [ENDED, OTHER, EARLIER].map((each) => ({ ...each, [column]: undefined }));
	expect(() => dueOf(...rows)).toThrow(
		new RegExp(`^The table has no column ${column}\\. The next night`),
	);
	const goesOn = row(9, 'goes-on@example.com', '2027-12-31');
	expect(() => dueOf(goesOn, { ...ENDED, [column]: undefined })).toThrow('Row 1: ');
});

test.each([
	{ row_number: 2, Email: 'ended@example.com', ExpiresAt: '2027-01-31' },
	{ id: 'rec1', fields: { email: 'ended@example.com', expiresAt: '2027-01-31' } },
])('a list with other names for both columns is none of which nobody is due', (listed) => {
	const says = /^The table has no column email\. The next night/;
	expect(() => dueOf(listed)).toThrow(says);
	expect(() => next({ ...GIVEN, rows: [listed], isByHand: true })).toThrow(
		'The table has no column email.',
	);
});

test.each(['Total', 'mailto:ended@example.com', 'a@example.com, b@example.com', 'a@b.io\u200b'])(
	'the row of %j is named before its day',
	(email) => {
		const says = `Row 9: "${email}" is not an email address. Type it again, or delete the row.`;
		expect(() => dueOf(row(9, email, '2027-12-31'))).toThrow(says);
		expect(() => dueOf(row(9, email, '2027-01-31'))).toThrow(says);
		expect(dueOf(ENDED, row(9, email, '2027-01-31'))).toEqual(['ended@example.com']);
	},
);

test.each([
	'mailto:ended@example.com',
	'Ended <Ended@example.com>',
	'ended@example.com, a@example.com',
	'ended@example.com.',
	// As it is mistyped.
	'Ended@example. com',
	'ended@example,com',
	'ended@example..com',
	'ended\uff20example.com',
])('a student is not removed while the row of %j says that access goes on', (email) => {
	for (const day of ['2027-12-31', '', '31/12/2027'])
		expect(dueOf(ENDED, OTHER, row(9, email, day))).toEqual(['other@example.com']);
	expect(dueOf(ENDED, OTHER, row(9, email, '2027-01-30'))).toHaveLength(2);
});

test('who is not removed because of another row is named', () => {
	const later = row(8, 'later@example.com', '2027-12-31');
	const doubt = row(9, 'extended@example.com; later@example.com', '1/3/2027');
	expect(after([DELETED], [OTHER, ENDED, later, doubt], true)).toThrow(
		/^Row 9: .* Not removed, as a row that can't be read may be about them: ended@example\.com\. The next/,
	);
});

test('a row that was read twice removes nobody, as the one that is missing may say that access goes on', () => {
	const says =
		/^n8n has read Row 2 twice, so that another row may be missing, and nobody is removed\./;
	expect(() => dueOf(ENDED, OTHER, OTHER)).toThrow(says);
	expect(() => next({ ...GIVEN, rows: [ENDED, OTHER, OTHER], isByHand: true })).toThrow(says);
	const inSheet = { email: 'ended@example.com', expiresAt: '2027-01-31', row_number: 2 };
	expect(() => dueOf(inSheet, inSheet)).toThrow(says);
	// An owner's own column of that name may have the number of a student.
	const other = { ...inSheet, email: 'other@example.com', row_number: 3 };
	expect(dueOf({ ...inSheet, id: 7 }, { ...other, id: 7 })).toHaveLength(2);
	// A list of another kind need not number its rows.
	expect(dueOf({ ...inSheet, row_number: undefined }, { ...OTHER, id: undefined })).toHaveLength(2);
});

test('after the requests, a row that was read twice no longer counts, as they are done', () => {
	expect(after([DELETED, DELETED], [ENDED, OTHER, OTHER])()).toHaveLength(3);
});

test('a failure never says "canceled", as n8n would show it as no failure', () => {
	const answers = [{ error: 'Subscription canceled', outcome: 'notProcessed' }];
	expect(after(answers, [ENDED])).toThrow('ended@example.com: Subscription Canceled.');
});

test('a failure says that Retry does nothing', () => {
	const unreadable = row(9, 'other@example.com', '1/3/2027');
	expect(() => dueOf(unreadable)).toThrow(/so don't select Retry\.$/);
	expect(after([{ error: 'Down', outcome: 'notProcessed' }], [ENDED])).toThrow(
		'ended@example.com: Down. The next night does what is left',
	);
});

test('a failure by hand says that Retry would be a night', () => {
	const rows = [ENDED, row(9, 'other@example.com', '1/3/2027')];
	expect(() => next({ ...GIVEN, rows, isByHand: true })).toThrow(
		/^Row 9: .* Don't select Retry, which would remove who is due\.$/,
	);
});

test('a blank is no day of removal', () => {
	expect(dueOf({ ...ENDED, removedAt: ' ' }, row(8, ' ', ''))).toEqual(['ended@example.com']);
});

test.each(['no', 'FALSE', false, '-', '0', 'null'])('%j is no day of removal', (removedAt) => {
	const rows = [OTHER, { ...ENDED, removedAt }];
	expect(dueOf(...rows)).toEqual(['other@example.com']);
	expect(after([DELETED], rows, true)).toThrow(
		`Row 1: ended@example.com: removedAt is "${removedAt}", not a day that has come. Enter that of the removal, or empty it.`,
	);
});

// However it is written: 02/03/2027 is to come as 2 March, and as 3 February.
test.each([
	'2027-06-30',
	'30/06/2027',
	'06/30/2027',
	'30.06.2027',
	'02/03/2027',
	'30/6/2027 00:00',
])('a day to come is none, as when an owner enters the last day there: %s', (removedAt) => {
	const planned = row(9, 'ana@example.com', '', removedAt);
	const says = `Row 9: ana@example.com: removedAt is "${removedAt}", not a day that has come.`;
	expect(() => dueOf(planned)).toThrow(says);
	// Until then, access goes on.
	expect(dueOf(ENDED, row(8, 'ana@example.com', '2027-01-31'), planned)).toEqual([
		'ended@example.com',
	]);
});

// 01/06/2027 may be 6 January.
test.each([
	...['2027-02-01', '01/02/2027', '01/06/2027', '31.01.2027', '1 Feb', '31/01/27', 46054],
	new Date(NOW),
])('%j is one', (removedAt) => {
	expect(dueOf(OTHER, { ...ENDED, removedAt })).toEqual(['other@example.com']);
});

test('rows that are empty, or of students who have been removed, are left alone', () => {
	expect(dueOf({}, row(8, '', ''), EARLIER)).toEqual([
		{ next: 'done', result: "Nobody's day has come." },
	]);
});

test.each([
	['20 of 66', 20, 46, true],
	['20 of 67', 20, 47, false],
	['19 of 19', 19, 0, false],
])('the brake at %s', (_, dueCount, otherCount, stops) => {
	const rows = Array.from({ length: dueCount + otherCount }, (_, n) =>
		row(n, `s-${n}@example.com`, n < dueCount ? '2027-01-31' : '2027-12-31'),
	);
	const run = () => dueOf(...rows);
	if (stops) expect(run).toThrow('20 of 66 students would be removed at once, so nobody is.');
	else expect(run()).toHaveLength(dueCount);
	const byHand = next({ ...GIVEN, rows, isByHand: true });
	expect(byHand).toHaveLength(dueCount + 1);
});

test('by hand, the result says how many have no day, as after an import without one', () => {
	const resultOf = (...rows: State['rows']) => next({ ...GIVEN, rows, isByHand: true })[0];
	const result =
		'By hand, nobody is removed. The night would remove 1 of the 3 students who are still in. Without expiresAt, so that access never ends: 2.';
	const never = [row(7, 'a@example.com', ''), row(8, 'b@example.com', null)];
	expect(resultOf(ENDED, ...never)).toEqual({ next: 'done', result });
	expect(resultOf(ENDED)).toMatchObject({ result: expect.not.stringContaining('Without') });
});

test('a permission allows one night, and is kept while nobody can be removed', () => {
	const rows = Array.from({ length: 25 }, (_, n) => row(n, `s-${n}@example.com`, '2027-01-31'));
	const allow = row(99, ' Allow ', null);
	expect(dueOf(...rows, allow)).toHaveLength(25);
	const answers = rows.map(() => ({ error: 'Down', outcome: 'notProcessed' }));
	expect(after(answers, [...rows, allow])).toThrow('25 of the students');
	const noted = after(
		rows.map(() => DELETED),
		[...rows, allow],
	)();
	expect(noted.at(-1)).toMatchObject({ id: 99, next: 'note', removedAt: '2027-02-01' });
	const [byHand] = next({ ...GIVEN, rows: [...rows, allow], isByHand: true });
	expect(byHand).toMatchObject({ result: expect.stringMatching(/ 25 of the 25 .* allowed it\.$/) });
	// It isn't kept for a later night.
	expect(next({ ...GIVEN, rows: [allow] })).toMatchObject([{ id: 99, next: 'note' }]);
});

test('whoever is out is noted in all rows', () => {
	const rows = [ENDED, OTHER, row(9, 'ENDED@example.com', '2027-01-30')];
	expect(after([DELETED, DELETED], rows)()).toMatchObject([
		{ next: 'note', id: 1, removedAt: '2027-02-01' },
		{ next: 'note', id: 9 },
		{ next: 'note', id: 2 },
	]);
	expect(after([DELETED, DELETED], rows, true)()).toEqual([
		{ next: 'done', result: 'Removed: 2.' },
	]);
});

test.each([400, 404, 422])(
	'status %p beside a removal probably means: not in the class',
	(status) => {
		expect(after([DELETED, rejected(status)])()).toHaveLength(2);
		// A failure is all that an owner sees of a night.
		const says =
			"Removed: 1. Rejected, but noted as removed: 1, as they probably weren't in the class any more. other@example.com: No. Look in your learning platform, as no night asks again.";
		expect(after([DELETED, rejected(status)], [ENDED, OTHER], true)).toThrow(
			`${says} The next night does what is left, so don't select Retry.`,
		);
		const unreadable = row(9, 'third@example.com', '1/3/2027');
		expect(after([DELETED, rejected(status)], [ENDED, OTHER, unreadable], true)).toThrow(
			`${says} Row 9: third@example.com: `,
		);
	},
);

test('who buys again during the removals is noted as nobody who is out, and named if they may be', () => {
	const again = [ENDED, OTHER].map((row) => ({ ...row, id: row.id + 9, expiresAt: '2028-01-31' }));
	const says = (email: string) =>
		`During the removal of ${email}, a row was entered by which access goes on. No night adds them again: if they aren't in the class in your learning platform, add them. The next night`;
	const rows = [ENDED, OTHER, ...again];
	expect(after([DELETED, rejected(400)], rows)).toThrow(says('ended@example.com'));
	expect(after([DELETED, rejected(400)], rows)).not.toThrow('other@example.com');
	const lost = { error: 'Lost', outcome: 'unknown' };
	expect(after([lost], rows)).toThrow(new RegExp(`^${says('ended@example.com')}`));
	const down = { error: 'Down', outcome: 'notProcessed' };
	expect(after([down], rows)()).toMatchObject([{ next: 'done' }]);
});

test.each([
	['an invalid address', rejected()],
	['another rejection', rejected(409)],
	['an outage', { error: 'Down', outcome: 'notProcessed' }],
	['another address of the service', { error: 'No', outcome: 'notProcessed', status: 404 }],
	['a lost answer', { error: 'Lost', outcome: 'unknown' }],
	['nothing', {}],
])('%s beside a removal leaves the student in', (_, answer) => {
	expect(after([DELETED, answer])()).toEqual([{ ...ENDED, removedAt: '2027-02-01', next: 'note' }]);
	expect(after([DELETED, answer], [ENDED, OTHER], true)).toThrow(
		/^1 of the students whose day has come may still be in the class \(1 removed\)\. other@example\.com: /,
	);
});

test('a rejection alone counts once others were removed, unless the address of the service may be wrong', () => {
	expect(after([rejected(400)], [ENDED, EARLIER])()).toHaveLength(1);
	expect(after([rejected(400)], [ENDED, EARLIER], true)).toThrow(
		'Removed: 0. Rejected, but noted as removed: 1,',
	);
	expect(after([rejected(404)], [ENDED, EARLIER])).toThrow('ended@example.com: No.');
	expect(after([rejected(400)], [ENDED])).toThrow('ended@example.com: No.');
	const permission = row(9, 'allow', null, '2027-01-02');
	expect(after([rejected(400)], [ENDED, permission])).toThrow('ended@example.com: No.');
	// All at once may be the wrong class.
	expect(after([rejected(400), rejected(400)], [ENDED, OTHER, EARLIER])).toThrow(
		"ended@example.com, other@example.com: No. If a rejected student isn't in the class",
	);
});
