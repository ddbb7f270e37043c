import { map, range, sortBy } from 'lodash';
import type { RunResult } from '../engine';
import { linkOf } from '../fixture';
import { keyOf, type Said, saidBy, yearOf } from '../judge';
import { INVALID, isList, type Item, type Scenario } from './scenarios';

/** What is asked for about one student: by an item, or by an entry of the list in it. */
type TestRow = ReturnType<typeof rowsOf>[number];

/** What is asked for by each item, or by each entry of a list. */
export function rowsOf(scenario: Scenario, items: Item[]) {
	const { operation } = scenario;
	const isLink = operation === 'sendMagicLink';
	const rows = items.flatMap(({ classIds, students }, item) =>
		students.map(({ email, year }, n) => {
			const ids = operation === 'addToClasses' ? [...classIds].sort() : classIds.slice(0, 1);
			const where = isLink ? [`https://example.com/${year}`] : ids;
			return {
				email,
				item,
				/** What errors call it. */
				place: isList(scenario) ? `student ${n + 1} of item ${item}` : `item ${item}`,
				keys: where.map((one) => keyOf(one, email.trim())),
				value: isLink ? 0 : operation === 'removeFromClass' ? undefined : year,
			};
		}),
	);
	// The last row about the same student and classes is sent for all.
	const last = new Map(rows.map((row) => [row.keys.join(), row]));
	return rows.map((row) => ({ ...row, sent: last.get(row.keys.join())!.value }));
}

const OUTCOME =
	'(rejected( by the service \\(status \\d+\\))?|not (added|removed|sent)|unknown if \\w+|replaced by \\w+ \\d+( of item \\d+)?): ';

/** What is said of each row, each once, in order, and linked to its item. */
export function saidOf({ error, ...result }: RunResult, rows: TestRow[]): Said[] {
	if (error && rows.length === 1) return [saidBy(withoutAddress(error.message).split(':')[0])];
	if (error) return saidInSummary(error.message, rows);
	for (const output of [result.items, result.errorItems]) {
		expect(output).toEqual(sortBy(output, linkOf));
	}
	const outputs = sortBy([...result.items, ...result.errorItems], linkOf);
	expect(outputs.map(linkOf)).toEqual(map(rows, 'item'));
	if (result.errorItems.length > 0) {
		expect(result.errorItems).toEqual(outputs.filter(({ json }) => json.error));
	}
	return outputs.map(({ json }, n) => {
		const { email, place, sent } = rows[n]!;
		expect(json.deleted ?? json.success ?? false).toBe(!json.error);
		if (!json.error) {
			if (sent !== undefined) expect(yearOf(json)).toBe(sent);
			return 'done';
		}
		if (INVALID.includes(email)) expect(json.error).toContain(place);
		else expect(json.error).toMatch(new RegExp(`^${email.trim()}: ${OUTCOME}.* \\[${place}\\]`));
		return saidBy(withoutAddress(String(json.error)).split(':')[0]);
	});
}

/** The error of a student, without the address at its beginning. */
const withoutAddress = (error: string) => error.replace(/^\S+@\S+: /, '');

/** A part of the summary of a stopped node: "added: items 0-2, 4", or "student 3 of item 3" of the same words. */
const PART = /(?:([^;:.]+): )?(item|student)s? ([\d-]+(?:, [\d-]+)*)( of item \d+)?/g;

/** The numbers in a text such as "0-2, 4". */
const numbersIn = (ranges: string) =>
	ranges.split(', ').flatMap((text) => {
		const [first, last = first] = text.split('-').map(Number);
		return range(first!, last! + 1);
	});

/** By the words of the summary, which says "added" and the like of what is done. */
const saidInWords = (words: string) =>
	['added', 'removed', 'sent'].includes(words) ? 'done' : saidBy(words);

/** What the summary of a stopped node says of each row. */
function saidInSummary(message: string, rows: TestRow[]): Said[] {
	const summary = message.split('. The node stopped. ')[1]!.toLowerCase();
	const said = new Map<string, Said>();
	let words = '';
	for (const [, newWords, what, ranges, ofItem = ''] of summary.matchAll(PART)) {
		words = newWords?.trim() ?? words;
		for (const n of numbersIn(ranges!)) said.set(`${what} ${n}${ofItem}`, saidInWords(words));
	}
	expect([...said.keys()].sort()).toEqual(map(rows, 'place').sort());
	return rows.map(({ place }) => said.get(place)!);
}
