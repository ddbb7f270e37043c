/** A row of a CSV file: its cells, or what is wrong with it. */
export interface CsvRow {
	/** The line of the file on which it begins, counted from 1. */
	line: number;
	/** As the file has it. */
	text: string;
	cells: string[];
	problem?: string;
}

const LINE_BREAK = /\r\n|\r|\n/;
// A tab may be the delimiter.
const OPENING_QUOTE = /^[^\S\t]*"/;
const SEPARATOR_LINE = /^"?sep=(.)"?\s*$/i;

/** The delimiter that a file names in its first line, as Excel writes and reads it (`sep=;`); undefined if it names none. */
export function namedDelimiter(text: string): string | undefined {
	return SEPARATOR_LINE.exec(text.split(LINE_BREAK, 1)[0]!)?.[1];
}

/**
 * Reads the rows of a CSV file, as RFC 4180 describes it: a cell in quotes may contain delimiters, line breaks, and quotes
 * that are doubled. Blank rows are left out. A row whose quotes are wrong ends with its line, so that it costs no other one.
 */
export function readCsv(text: string, delimiter: string): CsvRow[] {
	const lines = text.split(LINE_BREAK);
	const rows: CsvRow[] = [];
	let next = namedDelimiter(text) === undefined ? 0 : 1;
	while (next < lines.length) {
		const { lineCount, ...row } = readRow(lines, next, delimiter);
		if (row.problem !== undefined || row.cells.some((cell) => cell.trim() !== '')) {
			rows.push({ line: next + 1, text: lines.slice(next, next + lineCount).join(' '), ...row });
		}
		next += lineCount;
	}
	return rows;
}

const UNCLOSED = 'A quotation mark (") opens a cell, and none closes it.';
const GOES_ON = 'A cell goes on after its closing quotation mark (").';
// It may be in a note, or the cell may hold another row. So nobody is added of its lines.
const HAS_ADDRESS =
	'A cell with line breaks contains an address, as if a quotation mark (") was missing. Write the cell on one line.';

interface ReadRow extends Pick<CsvRow, 'cells' | 'problem'> {
	lineCount: number;
}

function readRow(lines: string[], first: number, delimiter: string): ReadRow {
	const cells: string[] = [];
	let problem: string | undefined;
	let line = first;
	let rest = lines[first]!;
	const readSoFar = (): ReadRow => ({ cells, problem, lineCount: line - first + 1 });
	for (;;) {
		const opening = OPENING_QUOTE.exec(rest)?.[0];
		if (opening === undefined) {
			const [cell, afterCell] = cutAt(rest, delimiter);
			cells.push(cell);
			if (afterCell === undefined) return readSoFar();
			rest = afterCell;
			continue;
		}
		const begin = line;
		let [part, afterQuote] = cutAtClosingQuote(rest.slice(opening.length));
		let cell = part;
		// Another student. An address alone may be a line of a note.
		const isAnother = () => line > begin && part.includes('@') && part.includes(delimiter);
		while (afterQuote === undefined && !isAnother() && line + 1 < lines.length) {
			line += 1;
			[part, afterQuote] = cutAtClosingQuote(lines[line]!);
			cell += `\n${part}`;
		}
		const hasAddress = cell.trimEnd().includes('\n') && cell.includes('@');
		const [between, afterCell] = cutAt(afterQuote ?? '', delimiter);
		const goesOn = between.trim() !== '';
		if (afterQuote === undefined || (goesOn && hasAddress))
			return { cells: [], problem: UNCLOSED, lineCount: 1 };
		if (goesOn) return { cells: [], problem: GOES_ON, lineCount: 1 };
		cells.push(cell);
		if (hasAddress) problem = HAS_ADDRESS;
		if (afterCell === undefined) return readSoFar();
		rest = afterCell;
	}
}

/** Cuts a text at the first delimiter; the second part is undefined if there is none. */
function cutAt(text: string, delimiter: string): [string, string?] {
	const at = text.indexOf(delimiter);
	return at < 0 ? [text] : [text.slice(0, at), text.slice(at + delimiter.length)];
}

/** Cuts the rest of a line at the quotation mark that closes a cell; the second part is undefined if none does. */
function cutAtClosingQuote(text: string): [string, string?] {
	for (let at = text.indexOf('"'); at >= 0; at = text.indexOf('"', at + 2)) {
		if (text[at + 1] === '"') continue;
		return [text.slice(0, at).replaceAll('""', '"'), text.slice(at + 1)];
	}
	return [text.replaceAll('""', '"')];
}
