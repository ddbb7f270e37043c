import { addRows, openJournal, toSaved } from '../../nodes/ClassEnrollment/journal/journal';
import type { Change, RowState } from '../../nodes/ClassEnrollment/journal/change';
import { recall } from '../../nodes/ClassEnrollment/journal/recall';

/** A change in short: what an item asks for, and in which wording of the node. */
type Asked = Partial<Change> & Pick<Change, 'itemIndex'>;

const toChange = (asked: Asked): Change => ({
	destination: 'service POST /path',
	email: 'a@example.com',
	values: {},
	mayBeRepeated: true,
	parametersHash: 'then',
	...asked,
});
const add = (itemIndex: number, until: number, more: Partial<Change> = {}): Asked => ({
	itemIndex,
	values: { until },
	...more,
});
const NOW = { parametersHash: 'now' };
const OTHER = { email: 'b@example.com', ...NOW };
const removal = (classIds: string[], more: Partial<Change> = {}): Asked => ({
	itemIndex: 0,
	classIds,
	mayBeRepeated: false,
	...more,
});

/** What an earlier try has made, in that order, what is asked for now, and what has become of it. */
test.each<[string, Array<[Asked, RowState['is']]>, Asked[], Array<RowState['is']>]>([
	['the same', [[add(0, 2030), 'done']], [add(0, 2030)], ['done']],
	['the same in other words', [[add(0, 2030), 'done']], [add(0, 2030, NOW)], ['done']],
	['other values by the clock', [[add(0, 2030), 'done']], [add(0, 2031)], ['done']],
	['other values', [[add(0, 2030), 'done']], [add(0, 2031, NOW)], ['outdated']],
	['nothing', [], [add(0, 2030)], ['open']],
	['another student', [[add(0, 2030), 'done']], [add(0, 2030, OTHER)], ['open']],
	['a refusal', [[add(0, 2030), 'refused']], [add(0, 2030)], ['open']],
	['perhaps', [[add(0, 2030), 'unknown']], [add(0, 2030)], ['unknown']],
	['a part', [[add(0, 2030), 'refusedTogether']], [add(0, 2030)], ['unknown']],
	[
		'a later item corrected',
		[
			[add(0, 2030), 'done'],
			[add(1, 2031), 'done'],
		],
		[add(0, 2030, NOW), add(1, 2032, NOW)],
		['done', 'outdated'],
	],
	[
		'a later item that asks for somebody else now',
		[
			[add(0, 2030), 'done'],
			[add(1, 2031), 'done'],
		],
		[add(0, 2030, NOW), add(1, 2031, OTHER)],
		['outdated', 'open'],
	],
	[
		'an earlier item corrected, which the later one must follow',
		[
			[add(0, 2030), 'done'],
			[add(1, 2031), 'done'],
		],
		[add(0, 2032, NOW), add(1, 2031, NOW)],
		['outdated', 'outdated'],
	],
	[
		'an earlier item that was made last',
		[
			[add(1, 2031), 'done'],
			[add(0, 2030), 'done'],
		],
		[add(0, 2030), add(1, 2031)],
		['done', 'outdated'],
	],
	[
		'what was corrected, and then corrected back',
		[
			[add(0, 2030), 'done'],
			[add(0, 2031), 'done'],
		],
		[add(0, 2030, NOW)],
		['outdated'],
	],
	[
		'what was corrected, perhaps made so, and then corrected back',
		[
			[add(0, 2030), 'done'],
			[add(0, 2031), 'refusedTogether'],
		],
		[add(0, 2030, NOW)],
		['unknown'],
	],
	[
		'some of the classes',
		[[removal(['x', 'y']), 'done']],
		[removal(['x', 'z'], NOW)],
		['outdated'],
	],
	['one class less', [[removal(['x', 'y']), 'done']], [removal(['x'], NOW)], ['done']],
	['a class that may be done', [[removal(['x']), 'unknown']], [removal(['x', 'y'])], ['unknown']],
	[
		'removals, in whatever order',
		[
			[removal(['x']), 'done'],
			[removal(['x'], { itemIndex: 1 }), 'unknown'],
		],
		[removal(['x']), removal(['x'], { itemIndex: 1 })],
		['done', 'unknown'],
	],
	[
		'one of two classes that a later item has overwritten',
		[
			[{ itemIndex: 0, classIds: ['x', 'y'] }, 'done'],
			[{ itemIndex: 1, classIds: ['y'] }, 'done'],
		],
		[
			{ itemIndex: 0, classIds: ['x', 'y'] },
			{ itemIndex: 1, ...OTHER },
		],
		['outdated', 'open'],
	],
])('what an earlier try has made, also once it was saved: %s', (_what, made, asked, states) => {
	const journal = openJournal({});
	const rows = made.map(([change, is]) => ({
		change: toChange(change),
		state: { is, values: change.values ?? {}, result: 1 } as RowState,
	}));
	addRows(journal, rows);
	const saved = JSON.parse(JSON.stringify(toSaved(journal))) as unknown;
	for (const known of [journal, openJournal({}, saved)]) {
		expect(recall(known, asked.map(toChange), true).map(({ is }) => is)).toEqual(states);
	}
});

test('what is not all of a run says nothing about who asks for the rest', () => {
	const journal = openJournal({});
	const state = { is: 'done', values: { until: 1 }, result: 1 } as const;
	addRows(
		journal,
		[add(0, 1), add(1, 1)].map((asked) => ({ change: toChange(asked), state })),
	);
	expect(recall(journal, [toChange(add(0, 1))], false)).toEqual([state]);
	expect(recall(journal, [toChange(add(0, 1))], true)).toEqual([{ is: 'outdated' }]);
});

test.each([
	['an item without a number', ['0', {}, 1, 'hash\ndestination', 'a@example.com']],
	['values that are none', [0, 'text', 1, 'hash\ndestination', 'a@example.com']],
	['a target that is no text', [0, {}, 1, 'hash\ndestination', 7]],
	['no target', [0, {}, 1, 'hash\ndestination']],
	['no list', {}],
])('a saved entry with %s makes the journal unreadable', (_what, entry) => {
	const good = [0, null, null, 'hash\ndestination', 'a@example.com'];
	const saved = { form: 1, startedAt: 1, entries: [good] };
	expect(openJournal({}, saved).isUnreadable).toBeUndefined();
	expect(openJournal({}, { ...saved, entries: [good, entry] }).isUnreadable).toBe(true);
});
