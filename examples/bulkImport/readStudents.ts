import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { UnreadableValue } from '../reading/text';
import { type Columns, DELIMITERS, findColumns, type FormAnswers } from './columns';
import { type CsvRow, namedDelimiter, readCsv } from './csv';
import { decode } from './decode';
import { createEndReader } from './endDates';

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

const CONTROL = /[^\P{Cc}\t\n\r]/u;
// Excel's own files are archives, or begin as older ones do.
const WORKBOOKS = ['PK\u0003\u0004', 'ÐÏ\u0011à'];
const LOST_LETTER = '\uFFFD';
// 2027-12-31, or 31/12/2027
const DATE = /^(\d{4}([/.-]\d{1,2}){2}|(\d{1,2}[/.-]){2}\d{4})\b/;

/**
 * Reads the students of a CSV file; returns a row for each of the file, or one that says what is wrong with the whole file.
 * @param now milliseconds since 1970
 */
export function readStudents(bytes: Uint8Array, form: FormAnswers, now: number): StudentRow[] {
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
		const columns = findColumns(header, rows, form, delimiter);
		if (rows.length === 0) {
			throw new UnreadableValue('The file has no rows below its header. Choose another one.');
		}
		const dateIn = ({ cells }: CsvRow) => cells[columns.date ?? -1]?.trim() ?? '';
		const readEnd = createEndReader(
			form.Dates,
			rows.map((row) => ({ line: row.line, cell: dateIn(row) })),
			now,
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

function readRow(
	row: CsvRow,
	header: string[],
	columns: Columns,
	readEnd: (cell: string) => string,
): StudentRow {
	const { line, text } = row;
	try {
		if (row.problem !== undefined) throw new UnreadableValue(row.problem);
		checkLength(row.cells, header, columns);
		const cell = (column?: number) =>
			column === undefined ? '' : readCell(row.cells[column] ?? '', header[column]!);
		// Each accented letter as one character, or it is the address of another student.
		const email = cell(columns.email).normalize('NFC');
		return {
			line,
			email,
			name: checkName(cell(columns.name).normalize('NFC'), email, header, columns),
			expirationDate: readEnd(cell(columns.date)),
		};
	} catch (error) {
		if (!(error instanceof UnreadableValue)) throw error;
		return { line, email: '', name: '', expirationDate: '', problem: error.message, text };
	}
}

/**
 * Without it, a comma in a name or price would put the cell before the date in its place. Empty cells at the end of either hold
 * nothing, but in a row that is longer than the header, the date must be the last cell that is filled. A spreadsheet may leave out
 * the empty ones of a row, but where the date is empty, it may be a delimiter that is missing, or the date may be in another cell.
 */
function checkLength(cells: string[], header: string[], { date }: Columns): void {
	const isEmpty = (cell = '') => cell.trim() === '';
	const isUndated = date !== undefined && isEmpty(cells[date]);
	const missing = isUndated ? header.slice(cells.length) : [];
	const isLonger = cells.length > header.length;
	const isTooMuch = (_: string, index: number) => {
		if (date === undefined) return index >= header.length;
		return index > date && (isLonger || (isUndated && isEmpty(header[index])));
	};
	if ([...cells.filter(isTooMuch), ...missing].every(isEmpty)) return;
	const named = header.filter((name) => !isEmpty(name));
	const advice =
		cells.length < named.length
			? "The date isn't where the header has it. If access never ends, add the delimiters that are missing."
			: 'A cell that contains the delimiter must be in straight quotation marks (").';
	throw new UnreadableValue(
		`Cells: ${cells.length} in the row, ${named.length} in the header. ${advice}`,
	);
}

/**
 * Where a name is a date, or the address of somebody else, a delimiter is missing, or there is one too many. Then the end may be
 * another date, or missing, or the address may be that of a parent.
 */
function checkName(
	name: string,
	email: string,
	header: string[],
	{ name: column }: Columns,
): string {
	const isOther = isAddress(name) && name.toLowerCase() !== email.toLowerCase();
	if (!isOther && !DATE.test(name)) return name;
	const kind = isOther ? 'another address' : 'a date';
	throw new UnreadableValue(
		`"${header[column!]!.trim()}" is "${name}", ${kind}. Put each cell below the name of its column.`,
	);
}

function readCell(cell: string, column: string): string {
	const found = CONTROL.exec(cell)?.[0];
	if (found !== undefined || cell.includes(LOST_LETTER)) {
		throw new UnreadableValue(
			`"${column.trim()}" contains a character that can't be read. Save the file as CSV UTF-8, or type the cell again.`,
		);
	}
	const text = cell.trim();
	if (text.startsWith('#')) {
		throw new UnreadableValue(
			`"${column.trim()}" is "${text}", an error of a spreadsheet. Correct it in the file.`,
		);
	}
	return text;
}
