import { splitList } from '../reading/lists';
import { UnreadableValue, withoutInvisible } from '../reading/text';
import { type CsvRow, namedDelimiter, readCsv } from './csv';
import { decode } from './decode';
import { createEndReader } from './endDates';

/** What the form says about the file. What is missing has the form's default. */
export interface FormAnswers {
	Delimiter?: string | null;
	'Column with the address'?: string | null;
	'Column with the name'?: string | null;
	'Column with the date'?: string | null;
	Dates?: string | null;
}

/** A row of the file, for Add Many to Class, or what is wrong with it. Then it has no address, so that nobody is added. */
export interface StudentRow {
	/** Counted from 1; 0 if something is wrong with the whole file. */
	line: number;
	email: string;
	name: string;
	/** The last moment of access, in ISO 8601 and UTC; empty if access never ends. */
	expirationDate: string;
	problem?: string;
	/** The row as the file has it, if something is wrong with it. */
	text?: string;
	/** Whether the file was read as Windows-1252. */
	isWindows1252?: boolean;
}

/** The choices of the form for the delimiter. */
export const DELIMITERS: Record<string, string> = {
	'Comma (,)': ',',
	'Semicolon (;)': ';',
	Tab: '\t',
	'Vertical bar (|)': '|',
};

const DEFAULT_NAME = 'name';
// The node's own name, and that in the table of End of access: one file serves both.
const DEFAULT_DATES = 'expirationDate, expiresAt';
const CONTROL = /[^\P{Cc}\t\n\r]/u;
// Excel's own files are archives, or begin as older ones do.
const WORKBOOKS = ['PK\u0003\u0004', 'ÐÏ\u0011à'];
const LOST_LETTER = '\uFFFD';

/** Reads the students of a CSV file; returns a row for each of the file, or one that says what is wrong with the whole file. */
export function readStudents(bytes: Uint8Array, form: FormAnswers): StudentRow[] {
	const { text, isWindows1252 } = decode(bytes);
	try {
		const chosen = DELIMITERS[form.Delimiter ?? 'Comma (,)']!;
		const delimiter = namedDelimiter(text) ?? chosen;
		if (WORKBOOKS.some((begin) => text.startsWith(begin))) {
			throw new UnreadableValue(
				'This is no CSV file. In Excel, choose File > Save As, and CSV UTF-8.',
			);
		}
		const [header, ...rows] = readCsv(text, delimiter);
		if (!header) throw new UnreadableValue('The file is empty. Choose another one.');
		const columns = findColumns(header, form, delimiter);
		if (rows.length === 0) {
			throw new UnreadableValue('The file has no rows below its header. Choose another one.');
		}
		const dateIn = ({ cells }: CsvRow) => cells[columns.date ?? -1]?.trim() ?? '';
		const readEnd = createEndReader(
			form.Dates,
			rows.map((row) => ({ line: row.line, cell: dateIn(row) })),
		);
		return rows.map((row) => ({
			...readRow(row, header.cells, columns, readEnd),
			...(isWindows1252 && { isWindows1252 }),
		}));
	} catch (error) {
		if (!(error instanceof UnreadableValue)) throw error;
		return [{ line: 0, email: '', name: '', expirationDate: '', problem: error.message }];
	}
}

/** The numbers of the columns; undefined for one that the form leaves empty. */
interface Columns {
	email: number;
	name?: number;
	date?: number;
}

function findColumns(header: CsvRow, form: FormAnswers, delimiter: string): Columns {
	if (header.problem !== undefined) {
		throw new UnreadableValue(`Header: ${header.problem} Correct it in the file.`);
	}
	const find = (name: string) => findColumn(header.cells, name);
	const address = form['Column with the address']?.trim() || 'email';
	const other = Object.entries(DELIMITERS).find(
		([, mark]) => mark !== delimiter && header.text.includes(mark),
	);
	if (find(address) === undefined && header.cells.length === 1 && other) {
		throw new UnreadableValue(
			`The columns seem to be separated otherwise. In the form, choose "${other[0]}" as Delimiter.`,
		);
	}
	if (
		find(address) === undefined &&
		header.cells.length === 1 &&
		header.cells[0]!.includes(delimiter)
	) {
		throw new UnreadableValue(
			'Each row is a single cell. In your spreadsheet, split the text into columns under Data, and save the file again.',
		);
	}
	const mustFind = (name: string): number => {
		const found = find(name);
		if (found !== undefined) return found;
		throw new UnreadableValue(missingColumn([name], header.cells));
	};
	const optional = (name: string) => (name.trim() === '' ? undefined : mustFind(name));
	const name = form['Column with the name'] ?? DEFAULT_NAME;
	return {
		email: mustFind(address),
		// Students need no names, as in the node.
		name: name === DEFAULT_NAME ? find(name) : optional(name),
		// With a mistyped name, nobody's access would end.
		date: findDateColumn(header.cells, form['Column with the date'] ?? DEFAULT_DATES),
	};
}

/** Returns the number of the column with a name; throws UnreadableValue if there are two. */
function findColumn(names: string[], name: string): number | undefined {
	const same = (other: string) => normal(other) === normal(name);
	if (names.filter(same).length > 1) {
		throw new UnreadableValue(`Two columns have the name "${name.trim()}". Rename one of them.`);
	}
	const found = names.findIndex(same);
	return found < 0 ? undefined : found;
}

/**
 * Returns the number of the one column that has a name on a list with commas; undefined for an empty list.
 * @throws UnreadableValue if there is none, or more than one
 */
function findDateColumn(header: string[], list: string): number | undefined {
	const names = splitList(list);
	if (names.length === 0) return undefined;
	const found = names.filter((name) => findColumn(header, name) !== undefined);
	if (found.length === 0) throw new UnreadableValue(missingColumn(names, header));
	if (found.length > 1) {
		throw new UnreadableValue(
			`The file has more than one column for the date: ${found.join(', ')}. Enter the right one in the form.`,
		);
	}
	return findColumn(header, found[0]!);
}

/** A name as it is compared: without blanks around it, and in lower case. */
const normal = (name: string) => name.normalize('NFC').trim().toLowerCase();

/** @param wanted the names that the column may have */
function missingColumn(wanted: string[], header: string[]): string {
	const asSeen = (text: string) => normal(withoutInvisible(text)).replace(/\s+/g, ' ');
	const similar = wanted.find((name) => header.some((other) => asSeen(other) === asSeen(name)));
	if (similar !== undefined) {
		return `The header of the column "${similar.trim()}" contains an invisible character. Delete the header, and type it again.`;
	}
	const names = wanted.map((name) => `"${name.trim()}"`).join(' or ');
	const columns = header.map((other) => other.trim()).filter(Boolean);
	return `The file has no column ${names}. Its columns are: ${columns.join(', ')}. Enter the right one in the form.`;
}

function readRow(
	row: CsvRow,
	header: string[],
	columns: Columns,
	readEnd: (cell: string) => string,
): StudentRow {
	const { line, text } = row;
	try {
		if (row.problem !== undefined) throw new UnreadableValue(row.problem);
		checkLength(row.cells, header);
		const cell = (column?: number) =>
			column === undefined ? '' : readCell(row.cells[column]!, header[column]!);
		return {
			line,
			email: cell(columns.email),
			name: cell(columns.name),
			expirationDate: readEnd(cell(columns.date)),
		};
	} catch (error) {
		if (!(error instanceof UnreadableValue)) throw error;
		return { line, email: '', name: '', expirationDate: '', problem: error.message, text };
	}
}

/** Without it, a comma in a name would put a part of it where the date is. Empty cells at the end of either hold nothing. */
function checkLength(cells: string[], header: string[]): void {
	const more = [...cells.slice(header.length), ...header.slice(cells.length)];
	if (more.every((cell) => cell.trim() === '')) return;
	throw new UnreadableValue(
		`Cells: ${cells.length} in the row, ${header.length} in the header. A cell that contains the delimiter must be in quotation marks.`,
	);
}

function readCell(cell: string, column: string): string {
	const found = CONTROL.exec(cell)?.[0];
	if (found !== undefined || cell.includes(LOST_LETTER)) {
		throw new UnreadableValue(
			`"${column.trim()}" contains a character that can't be read. Save the file as CSV UTF-8, or type the cell again.`,
		);
	}
	return cell.trim();
}
