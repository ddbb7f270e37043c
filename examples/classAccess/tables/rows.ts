// The rows of the data tables, as they are read and written.
import type { Json } from '../../codeNodes/n8n';
import { BUYER_COLUMNS, SALE_COLUMNS, STUDENT_COLUMNS, type Time } from '../types';
import { dateIn, orEmpty } from './cells';

/** What a cell is read as, by the type of its column. An empty text is '', any other empty cell null. */
interface Cells {
	string: string;
	/** As it is typed: it is checked when it is needed. */
	number: unknown;
	boolean: boolean | null;
	date: Time | null;
}
type Columns = Record<string, keyof Cells>;
export type Row<Of extends Columns> = { -readonly [Name in keyof Of]: Cells[Of[Name]] };

export type Buyer = Row<typeof BUYER_COLUMNS>;
export type Student = Row<typeof STUDENT_COLUMNS>;

/**
 * Reads a row by the columns of its table.
 * @param problems gets which of its dates can't be read. Such a date counts as none.
 */
export function readRow<Of extends Columns>(
	columns: Of,
	row: Json,
	problems: string[] = [],
): Row<Of> {
	const readers: { [Type in keyof Cells]: (name: string) => Cells[Type] } = {
		string: (name) => orEmpty(row[name]),
		number: (name) => row[name],
		boolean: (name) => (typeof row[name] === 'boolean' ? row[name] : null),
		date: (name) => dateIn(row[name], name, problems),
	};
	const cells = Object.entries(columns).map(([name, type]) => [name, readers[type](name)] as const);
	return Object.fromEntries(cells) as Row<Of>;
}

const COLUMNS: Columns = { ...SALE_COLUMNS, ...STUDENT_COLUMNS, ...BUYER_COLUMNS };

/** Times become texts, as n8n's nodes take dates, and no problem an empty cell. */
export const toItem = (step: object): Json =>
	Object.fromEntries(
		Object.entries(step).map(([name, value]: [string, unknown]) => {
			if (name === 'problem') return [name, value || null];
			const isTime = COLUMNS[name] === 'date' && typeof value === 'number';
			return [name, isTime ? new Date(value).toISOString() : value];
		}),
	);

/** Their addresses, as often as they come. */
export const emailsOf = (some: Array<{ email: string }>): string[] =>
	some.map(({ email }) => email);
