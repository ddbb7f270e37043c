import type { Answer } from '../codeNodes/answer';
import { withoutInvisible } from '../reading/text';
import type { StudentRow } from './readStudents';

/** The parameter Class. A class that is chosen from the list has its name beside its ID. */
export interface ChosenClass {
	value?: string;
	cachedResultName?: string;
}

/** The last page of the form. */
export interface Report {
	title: string;
	/** HTML, in which a line break is one. */
	message: string;
}

interface Added {
	row: StudentRow;
	result: Answer;
}

interface Failure {
	line: number;
	email: string;
	reason: string;
	/** The same for all failures of this kind: without what only this row has. */
	kind: string;
	isWrong: boolean;
}

const MOST_SHOWN = 20;
const HIDDEN = ' It contains a character that nobody sees. Type it again.';

/**
 * Says what happened to the rows of a file, for somebody who knows the file and no n8n.
 * @param results of the rows, in their order
 * @param chosen the class
 */
export function report(rows: StudentRow[], results: Answer[], chosen: ChosenClass): Report {
	const pairs = rows.map((row, index) => ({ row, result: results[index] ?? {} }));
	const added = pairs.filter(({ row, result }) => !row.problem && result.success);
	const failed = pairs.filter(({ row, result }) => row.problem || !result.success);
	const failures = failed.map(({ row, result }) => failureOf(row, result));
	const addedCount = new Set(added.map(({ row }) => normal(row.email))).size;
	const isUnreadable = rows[0]?.line === 0;
	const parts = [
		// What is wrong with a whole file says itself what to do: it may be a choice in the form.
		...(isUnreadable ? [] : adviceFor(failures)),
		...describeFailures(failures),
		...describeRepeated(rows),
		...describeGaps(added),
		...describeEncoding(added.map(({ row }) => row)),
	];
	const isUnknown = failed.some(({ result }) => result.outcome === 'unknown');
	const nobody = isUnknown ? 'Unknown if anybody was added' : 'Nobody was added';
	const result =
		addedCount === 0
			? nobody
			: `${countOf(addedCount, 'student')} added to ${nameClass(added, chosen)}`;
	const failure =
		isUnreadable || failed.length === 0 ? '' : `, ${countOf(failed.length, 'row')} failed`;
	return {
		title: `${result}${failure}`,
		message: escape(parts.join('\n')),
	};
}

const normal = (email: string) => email.toLowerCase();

const countOf = (number: number, noun: string) => `${number} ${noun}${number === 1 ? '' : 's'}`;

/** The class to which they were added: more than one, if the parameter is an expression. */
function nameClass(added: Array<{ result: Answer }>, chosen: ChosenClass): string {
	const ids = new Set(added.map(({ result }) => result.classId));
	const nameOf = (id?: string) => (id === chosen.value && chosen.cachedResultName) || id;
	return [...ids].map(nameOf).join(', ');
}

const escape = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

function failureOf(row: StudentRow, answer: Answer): Failure {
	const { error = 'No answer. Check the credential of Add Students', outcome, status } = answer;
	const { line, email, problem, text } = row;
	if (problem !== undefined) {
		const shown = text === undefined ? '' : ` The row: ${shorten(text)}`;
		// It begins with the cell, in quotes.
		const kind = problem.replace(/^".*?"/, '');
		return { line, email, reason: `${problem}${shown}`, kind, isWrong: true };
	}
	const said = inPlainWords(error, email);
	const kind = said.replaceAll(email || '\n', '');
	if (outcome === 'rejected' && status === undefined) {
		const hidden = withoutInvisible(email) === email ? '' : HIDDEN;
		return { line, email, reason: `${said}.${hidden}`, kind: `${kind}${hidden}`, isWrong: true };
	}
	return { line, email, reason: `${email}: ${said}.`, kind, isWrong: outcome === 'rejected' };
}

/** The node's text without what only its users know: the number of the item, the names of its fields, and its advice. */
function inPlainWords(error: string, email: string): string {
	const said = email === '' ? error : error.replace(`${email}: `, '');
	const [message = ''] = said.split(/ \[item \d+\]/);
	return message
		.replace(/^rejected: /, '')
		.replace(/'Email Field: [^']*'/, 'The address')
		.replace('the service', 'your learning platform')
		.replace('The service', 'Your learning platform');
}

const shorten = (text: string) => (text.length > 100 ? `${text.slice(0, 100)}…` : text);

function adviceFor(failures: Failure[]): string[] {
	const some = (isWrong: boolean) => failures.some((failure) => failure.isWrong === isWrong);
	return [
		some(true) ? 'Correct what is named below, then upload the file again.' : '',
		some(false) ? 'Rows that are not wrong: upload the file again later.' : '',
	].filter(Boolean);
}

/** A line for each failure, but one for many of the same reason. The rarest come first: an outage must not hide them. */
function describeFailures(failures: Failure[]): string[] {
	const groups = new Map<string, Failure[]>();
	for (const failure of failures) {
		groups.set(failure.kind, [...(groups.get(failure.kind) ?? []), failure]);
	}
	const sorted = [...groups.values()].sort((a, b) => a.length - b.length);
	return sorted.flatMap((group) => {
		if (group.length <= MOST_SHOWN) {
			return group.map(({ line, reason }) => (line === 0 ? reason : `Line ${line}: ${reason}`));
		}
		const lines = `between lines ${group[0]!.line} and ${group.at(-1)!.line}`;
		return `${group.length} rows ${lines}, all for the same reason: ${group[0]!.reason}`;
	});
}

/** Names the addresses that are repeated: first those of which an earlier row would give longer access. */
function describeRepeated(rows: StudentRow[]): string[] {
	const byAddress = new Map<string, StudentRow[]>();
	for (const row of rows.filter(({ email }) => email !== '')) {
		const key = normal(row.email);
		byAddress.set(key, [...(byAddress.get(key) ?? []), row]);
	}
	const repeated = [...byAddress].filter(([, all]) => all.length > 1);
	if (repeated.length === 0) return [];
	const described = repeated.map(([email, all]) => {
		const longer = all.find((row) => endsLater(row, all.at(-1)!));
		const advice = longer ? `. By line ${longer.line}, access would last longer.` : '';
		return { longer, text: `${email}: lines ${all.map(({ line }) => line).join(', ')}${advice}` };
	});
	const sorted = described.sort((a, b) => Number(!a.longer) - Number(!b.longer));
	const count = repeated.length === 1 ? '1 address is' : `${repeated.length} addresses are`;
	return [
		`${count} in the file more than once. The last row without a mistake counts.`,
		...sorted.slice(0, MOST_SHOWN).map(({ text }) => text),
		...(repeated.length > MOST_SHOWN ? ['…'] : []),
	];
}

/** Whether a row gives longer access than another. An empty date is never. */
const endsLater = (row: StudentRow, other: StudentRow): boolean =>
	other.expirationDate !== '' &&
	(row.expirationDate === '' || row.expirationDate > other.expirationDate);

/** What somebody may not have meant: no name, and access that never ends. */
function describeGaps(added: Added[]): string[] {
	const linesOf = (isIt: (one: Added) => boolean) => added.filter(isIt).map(({ row }) => row.line);
	const nameless = linesOf(({ row }) => row.name === '');
	const never = linesOf(({ result }) => !result.expirationDate);
	return [
		nameless.length > 0 ? `${rowsHave(nameless)} no name: new students have none.` : '',
		never.length > 0 ? `${rowsHave(never)} no date: access never ends.` : '',
	].filter(Boolean);
}

function rowsHave(lines: number[]): string {
	if (lines.length === 1) return `1 row (line ${lines[0]}) has`;
	const more = lines.length > MOST_SHOWN ? ', …' : '';
	return `${lines.length} rows (lines ${lines.slice(0, MOST_SHOWN).join(', ')}${more}) have`;
}

/** Nobody can be sure of Windows-1252: another old form has other letters in the same places. */
function describeEncoding(added: StudentRow[]): string[] {
	const accented = added
		.filter(({ isWindows1252 }) => isWindows1252)
		.flatMap(({ name, email }) => [name, email])
		.filter((text) => /[^\x20-\x7e]/.test(text));
	if (accented.length === 0) return [];
	const shown = accented.slice(0, 3).join(', ');
	return [
		`Accents were read as Windows-1252: ${shown}. Are these right? If not, save the file as CSV UTF-8, and upload it again.`,
	];
}
