import fc from 'fast-check';
import { openJournal, record } from '../../nodes/ClassEnrollment/journal/journal';
import type { RowResult } from '../../nodes/ClassEnrollment/journal/journal';
import { recall } from '../../nodes/ClassEnrollment/journal/recall';
import { testProperty } from '../property';

const OUTCOMES = ['done', 'rejected', 'notProcessed', 'unknown, done', 'unknown'] as const;
const CLASSES = ['x', 'y', 'z'];

interface Attempt {
	isRemoval: boolean;
	/** Whether the user has corrected the node: then the rows ask for something else. */
	isCorrected: boolean;
	stopsAtFailure: boolean;
	/** Of the requests, in order. */
	outcomes: Array<(typeof OUTCOMES)[number]>;
}

const attempt = fc.record<Attempt>({
	isRemoval: fc.constantFrom(false, false, false, true),
	isCorrected: fc.constantFrom(false, false, false, true),
	stopsAtFailure: fc.boolean(),
	outcomes: fc.array(fc.constantFrom(...OUTCOMES), { minLength: 4, maxLength: 4 }),
});
/** The classes of each row: all are about one student, and those about the same classes are one. */
const rowsOfClasses = fc.uniqueArray(fc.subarray(CLASSES, { minLength: 1 }), {
	minLength: 1,
	maxLength: 4,
	selector: (classes) => classes.join(),
});
const chain = fc.record({
	rows: rowsOfClasses,
	attempts: fc.array(attempt, { minLength: 1, maxLength: 5 }),
});

testProperty('whatever fails, retries end as if nothing had', 2000, fc.property(chain, tell));

function tell({ rows: rowsClasses, attempts }: { rows: string[][]; attempts: Attempt[] }) {
	const journal = openJournal({});
	/** In which class the student is, and what was asked for. */
	const held = new Map<string, string>();
	/** The rows that are done, since the node was changed. */
	const done = new Set<number>();
	let corrections = 0;
	let lastVersion = '';
	const last: Attempt = {
		...attempts.at(-1)!,
		isCorrected: false,
		outcomes: ['done', 'done', 'done', 'done'],
	};
	for (const { isRemoval, isCorrected, stopsAtFailure, outcomes } of [...attempts, last]) {
		if (isCorrected) corrections++;
		const version = `${isRemoval} ${corrections}`;
		if (version !== lastVersion) done.clear();
		lastVersion = version;
		const rows = rowsClasses.map((targets, itemIndex) => {
			const asked = `${version} ${itemIndex}`;
			const values = isRemoval ? {} : { asked };
			const change = { itemIndex, parametersHash: version, isRemoval, targets, values };
			return { asked, change };
		});
		const recalled = recall(journal, rows);
		const toSend = rows.filter((row) => recalled.get(row)?.outcome !== 'done');
		for (const [n, { asked, change }] of toSend.entries()) {
			// Nothing is sent again without need.
			if (!isRemoval) expect(done).not.toContain(change.itemIndex);
			// What is sent is to be overwritten again by the rows after it.
			for (const later of rows.slice(change.itemIndex))
				if (later.change.targets.some((id) => change.targets.includes(id)))
					done.delete(later.change.itemIndex);
			const became = outcomes[n]!;
			if (became.endsWith('done')) {
				for (const id of change.targets) {
					if (isRemoval) held.delete(id);
					else held.set(id, asked);
				}
			}
			const [outcome] = became.split(', ');
			if (outcome === 'done') done.add(change.itemIndex);
			const receipt = { values: change.values, reply: { json: 1 } };
			record(journal, change, { outcome, receipt } as RowResult);
			if (outcome !== 'done' && stopsAtFailure) break;
		}
	}
	const expected = new Map<string, string>();
	rowsClasses.forEach((targets, itemIndex) => {
		const asked = `${lastVersion} ${itemIndex}`;
		for (const id of targets) if (!last.isRemoval) expected.set(id, asked);
	});
	expect(Object.fromEntries([...held].sort())).toEqual(Object.fromEntries([...expected].sort()));
}
