import type { IDataObject } from 'n8n-workflow';
import { openJournal, record, toSaved } from '../../nodes/ClassEnrollment/journal/journal';
import { recall } from '../../nodes/ClassEnrollment/journal/recall';
import type { Change, RowResult } from '../../nodes/ClassEnrollment/journal/journal';

/**
 * Reads changes such as "0 a 2030, 1 b remove x y now": the item, the student, until when (or `forever`) or else a removal, the classes if
 * the request names them, and whether the node says it in other words than then.
 */
function changesIn(text: string): Change[] {
	return text.split(', ').map((change) => {
		const [item, email = '', what = '', ...others] = change.split(' ');
		const classIds = others.filter((word) => word !== 'now');
		return {
			itemIndex: Number(item),
			values: ['remove', 'forever'].includes(what) ? {} : { until: what },
			isRemoval: what === 'remove',
			targets: (classIds.length > 0 ? classIds : ['']).map(
				(id) => `service POST /path ${id}\n${email}`,
			),
			parametersHash: others.includes('now') ? 'now' : 'then',
		};
	});
}

const resultOf = (outcome: string, values: IDataObject) =>
	({ outcome, receipt: { values, reply: { json: 1 } } }) as RowResult;

/** What an earlier try has asked for, and what became of it; what is asked for now, and what has become of that. */
interface Row {
	made: string;
	became: string;
	asked: string;
	is: string;
}

test.each`
	what                                        | made                                        | became                   | asked                                             | is
	${'the same'}                               | ${'0 a 2030'}                               | ${'done'}                | ${'0 a 2030'}                                     | ${'done'}
	${'the same in other words'}                | ${'0 a 2030'}                               | ${'done'}                | ${'0 a 2030 now'}                                 | ${'done'}
	${'other values by the clock'}              | ${'0 a 2030'}                               | ${'done'}                | ${'0 a 2031'}                                     | ${'done'}
	${'other values'}                           | ${'0 a 2030'}                               | ${'done'}                | ${'0 a 2031 now'}                                 | ${'unknown'}
	${'nothing'}                                | ${'0 a 2030'}                               | ${'notProcessed'}        | ${'0 a 2030'}                                     | ${'nothing'}
	${'another student'}                        | ${'0 a 2030'}                               | ${'done'}                | ${'0 b 2030 now'}                                 | ${'nothing'}
	${'a refusal'}                              | ${'0 a 2030'}                               | ${'rejected'}            | ${'0 a 2030'}                                     | ${'nothing'}
	${'perhaps'}                                | ${'0 a 2030'}                               | ${'unknown'}             | ${'0 a 2030'}                                     | ${'unknown'}
	${'a part'}                                 | ${'0 a 2030'}                               | ${'unknown'}             | ${'0 a 2030'}                                     | ${'unknown'}
	${'a correction, taken back now'}           | ${'0 a 2030, 0 a 2031'}                     | ${'done, done'}          | ${'0 a 2030 now'}                                 | ${'unknown'}
	${'perhaps a correction, taken back'}       | ${'0 a 2030, 0 a 2031'}                     | ${'done, unknown'}       | ${'0 a 2030 now'}                                 | ${'unknown'}
	${'what was unknown, then done, corrected'} | ${'0 a 2030, 0 a 2030'}                     | ${'unknown, done'}       | ${'0 a 2031 now'}                                 | ${'unknown'}
	${'a later item, now about another'}        | ${'0 a 2030, 1 a 2031'}                     | ${'done, done'}          | ${'0 a 2030 now, 1 b 2031 now'}                   | ${'unknown, nothing'}
	${'some of the classes'}                    | ${'0 a remove x y'}                         | ${'done'}                | ${'0 a remove x z now'}                           | ${'unknown'}
	${'one class more'}                         | ${'0 a remove x y'}                         | ${'done'}                | ${'0 a remove x now'}                             | ${'done'}
	${'one class, perhaps'}                     | ${'0 a remove x'}                           | ${'unknown'}             | ${'0 a remove x y'}                               | ${'unknown'}
	${'one class more, refused, taken back'}    | ${'0 a remove x, 0 a remove x y'}           | ${'done, unknown'}       | ${'0 a remove x'}                                 | ${'unknown'}
	${'the same of additions'}                  | ${'0 a 2030 x, 0 a 2031 x y'}               | ${'done, unknown'}       | ${'0 a 2030 x'}                                   | ${'unknown'}
	${'a link, and perhaps another'}            | ${'0 a remove, 0 a remove'}                 | ${'done, unknown'}       | ${'0 a remove'}                                   | ${'unknown'}
	${'classes, one of them twice'}             | ${'0 a 2030 x y, 1 a 2030 y'}               | ${'done, done'}          | ${'0 a 2030 x y, 1 b 2030 now'}                   | ${'done, nothing'}
	${'classes, one of them overwritten'}       | ${'0 a 2028 x y, 1 a 2030 y'}               | ${'done, done'}          | ${'0 a 2028 x y, 1 a 2030 y'}                     | ${'done, done'}
	${'classes, all of them overwritten'}       | ${'0 a 2028 x, 1 a 2030 x y'}               | ${'done, done'}          | ${'0 a 2028 x, 1 a 2030 x y'}                     | ${'done, done'}
	${'by what is now otherwise'}               | ${'0 a 2028 x y, 1 a 2030 y'}               | ${'done, done'}          | ${'0 a 2028 x y, 1 a 2031 y now'}                 | ${'unknown, unknown'}
	${'by what is now about another class'}     | ${'0 a 2028 x y, 1 a 2030 x, 2 a 2032 z'}   | ${'done, done, done'}    | ${'0 a 2028 x y, 1 a 2030 z now, 2 a 2032 x now'} | ${'unknown, unknown, nothing'}
	${'perhaps, and an earlier row after it'}   | ${'0 a 2028 x y, 1 a 2030 y, 0 a 2028 x y'} | ${'done, unknown, done'} | ${'0 a 2028 x y, 1 a 2030 y'}                     | ${'done, unknown'}
	${'by what is not asked for now'}           | ${'0 a 2028 x y, 1 a 2030 y'}               | ${'done, done'}          | ${'0 a 2028 x y, 1 a 2030 z now'}                 | ${'unknown, nothing'}
	${'by what may not be done'}                | ${'0 a 2028 x y, 1 a 2030 y'}               | ${'done, unknown'}       | ${'0 a 2028 x y, 1 a 2030 y'}                     | ${'done, unknown'}
	${'classes, a later row about one refused'} | ${'0 a 2028 x y, 1 a 2030 y'}               | ${'done, rejected'}      | ${'0 a 2028 x y, 1 a 2030 y'}                     | ${'done, nothing'}
	${'by an earlier row that was sent again'}  | ${'1 a 2030 x y, 0 a 2028 y'}               | ${'done, done'}          | ${'0 a 2028 y, 1 a 2030 x y'}                     | ${'done, unknown'}
	${'the same, before a later one'}           | ${'1 a 2030 x y, 0 a 2028 y'}               | ${'done, done'}          | ${'0 a 2028 y, 1 a 2030 x y, 2 a 2031 y'}         | ${'done, unknown, nothing'}
	${'removals, a later row of more refused'}  | ${'0 a remove x, 1 a remove x y'}           | ${'done, rejected'}      | ${'0 a remove x, 1 a remove x y'}                 | ${'done, nothing'}
	${'a refusal that others overwrote'}        | ${'1 a 2030 x, 2 a 2030 y'}                 | ${'done, done'}          | ${'0 a 2028 x y now, 1 a 2030 x'}                 | ${'unknown, unknown'}
	${'classes, one of them open before'}       | ${'1 a 2031 x y'}                           | ${'done'}                | ${'0 a 2030 y now, 1 a 2031 x y'}                 | ${'unknown, unknown'}
	${'one class more, which a later row has'}  | ${'0 a 2030 x'}                             | ${'done'}                | ${'0 a 2030 x y now, 1 a 2031 y'}                 | ${'unknown, nothing'}
	${'perhaps a later row, now corrected'}     | ${'0 a 2030 x, 1 a 2031 x'}                 | ${'done, unknown'}       | ${'0 a 2030 x now, 1 a 2032 x y now'}             | ${'unknown, unknown'}
	${'additions, now to be removed'}           | ${'0 a forever'}                            | ${'done'}                | ${'0 a remove now'}                               | ${'unknown'}
	${'a removal after one sent again'}         | ${'0 a remove x y, 1 a remove y'}           | ${'unknown, done'}       | ${'0 a remove x y, 1 a remove y'}                 | ${'unknown, done'}
`('what an earlier try has made, also once it was saved: $what', (row: Row) => {
	const journal = openJournal({});
	const outcomes = row.became.split(', ');
	for (const [n, change] of changesIn(row.made).entries()) {
		record(journal, change, resultOf(outcomes[n]!, change.values));
	}
	const saved = JSON.parse(JSON.stringify(toSaved(journal))) as ReturnType<typeof toSaved>;
	for (const known of [journal, openJournal({}, saved)]) {
		const rows = changesIn(row.asked).map((change) => ({ change }));
		const recalled = recall(known, rows);
		const outcomesNow = rows.map((asked) => recalled.get(asked)?.outcome ?? 'nothing');
		expect(outcomesNow.join(', ')).toBe(row.is);
	}
});

test('where the user chose another operation meanwhile, what only reads', () => {
	const journal = openJournal({});
	const [change] = changesIn('0 a 2030');
	record(journal, change!, resultOf('done', change!.values));
	expect(recall(journal, [{}])).toEqual(new Map());
});
