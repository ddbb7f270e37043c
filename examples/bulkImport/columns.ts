import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { plainCode } from '../reading/codes';
import { splitList } from '../reading/lists';
import { UnreadableValue } from '../reading/text';
import { type CsvRow, readCsv } from './csv';

/** What the form says about the file. What is missing has the form's default. */
export interface FormAnswers {
	Delimiter?: string | null;
	'Column with the address'?: string | null;
	'Column with the name'?: string | null;
	'Column with the date'?: string | null;
	Dates?: string | null;
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

/** The numbers of the columns; undefined for one that the form leaves empty. */
export interface Columns {
	email: number;
	name?: number;
	date?: number;
}

/**
 * Finds the columns that the form names.
 * @param rows those below the header
 * @throws UnreadableValue that says what is wrong with the header, or with what the form says of it
 */
export function findColumns(
	header: CsvRow,
	rows: CsvRow[],
	form: FormAnswers,
	delimiter: string,
): Columns {
	if (header.problem !== undefined) {
		throw new UnreadableValue(
			otherDelimiter(header, delimiter) ?? `Header: ${header.problem} Correct it in the file.`,
		);
	}
	const address = form['Column with the address']?.trim() || 'email';
	const problem = noHeader(header, rows, address, delimiter);
	if (problem !== undefined) throw new UnreadableValue(problem);
	const find = (name: string) => findColumn(header.cells, name);
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

/** Says why the first line is no header, and what to do; undefined if it may be one. */
function noHeader(
	header: CsvRow,
	rows: CsvRow[],
	address: string,
	delimiter: string,
): string | undefined {
	const { cells } = header;
	const isStudent = (cell: string) => isAddress(cell.trim());
	const student = cells.find(isStudent);
	if (student !== undefined)
		return `The first line must have the names of the columns, but it has "${student.trim()}". Add a line above it.`;
	const hasAddress = (names: string[]) => names.some((name) => normal(name) === normal(address));
	if (hasAddress(cells)) return undefined;
	const below = rows.find((row) => hasAddress(row.cells) && !row.cells.some(isStudent));
	if (below) return `Line ${below.line} has the column "${address}". Delete the lines above it.`;
	const [only = '', ...others] = cells.filter((cell) => cell.trim() !== '');
	if (others.length > 0) return undefined;
	const wrongDelimiter = otherDelimiter(header, delimiter);
	if (wrongDelimiter !== undefined) return wrongDelimiter;
	return only.includes(delimiter)
		? 'Each row is a single cell. In your spreadsheet, split the text into columns under Data, and save the file again.'
		: undefined;
}

/** Says which other delimiter divides a header, if one does. */
function otherDelimiter({ text }: CsvRow, delimiter: string): string | undefined {
	const isDividedBy = (mark: string) => {
		const [row] = readCsv(text, mark);
		// Nothing but delimiters is no row.
		return row === undefined || row.cells.length > 1;
	};
	const other = Object.entries(DELIMITERS).find(
		([, mark]) => mark !== delimiter && isDividedBy(mark),
	);
	if (other === undefined) return undefined;
	return `The columns seem to be separated otherwise. In the form, choose "${other[0]}" as Delimiter.`;
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
 * Returns the number of the one column that has a name, or one on a list with commas; undefined for an empty list.
 * @throws UnreadableValue if there is none, or more than one
 */
function findDateColumn(header: string[], list: string): number | undefined {
	const names = splitList(list);
	if (names.length === 0) return undefined;
	// A name may have commas itself.
	const whole = findColumn(header, list);
	if (whole !== undefined) return whole;
	const found = names.filter((name) => findColumn(header, name) !== undefined);
	if (found.length === 0) {
		throw new UnreadableValue(
			`${missingColumn(names, header)} If access never ends, empty "Column with the date".`,
		);
	}
	if (found.length > 1) {
		throw new UnreadableValue(
			`The file has more than one column for the date: ${found.join(', ')}. Enter the right one in the form.`,
		);
	}
	return findColumn(header, found[0]!);
}

/** A name as it is compared: as it looks, and in lower case. */
const normal = plainCode;

/** @param wanted the names that the column may have */
function missingColumn(wanted: string[], header: string[]): string {
	const names = wanted.map((name) => `"${name.trim()}"`).join(' or ');
	const columns = header.map((other) => other.trim()).filter(Boolean);
	return `The file has no column ${names}. Its columns are: ${columns.join(', ')}. Enter the right one in the form.`;
}
