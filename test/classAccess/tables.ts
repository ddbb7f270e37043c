/** A row of a data table. Dates are texts, as n8n gives them to the next node. */
export type Row = Record<string, unknown> & { id: number };

export interface Condition {
	keyName: string;
	condition: string;
	keyValue?: unknown;
}

/** n8n reads so many rows at once. To read more fails while others are added. */
const PAGE = 1000;

/** The types of columns, by their names. */
export type Columns = Record<string, string>;

/** SQL's LIKE without case. n8n puts % around a value that has none. */
function isLike(value: unknown, pattern: string): boolean {
	const whole = pattern.includes('%') ? pattern : `%${pattern}%`;
	const escaped = whole.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('%', '.*');
	return typeof value === 'string' && new RegExp(`^${escaped}$`, 'is').test(value);
}

type Cell = string | number | boolean | null;

function meets(has: Cell, wanted: Cell, { condition, keyValue }: Condition): boolean {
	if (condition === 'eq') return has === wanted;
	if (condition === 'isEmpty') return has === null || has === '';
	if (condition === 'isTrue') return has === true;
	if (condition === 'ilike') return isLike(has, String(keyValue));
	if (condition === 'lt') return has !== null && wanted !== null && has < wanted;
	throw new Error(`The condition ${condition} is unknown.`);
}

/** A data table in memory. */
export class Table {
	private nextId = 1;
	rows: Row[] = [];

	constructor(private readonly columns: Columns) {}

	/** A value as the database compares it. */
	private cell(column: string, value: unknown): Cell {
		if (value === null || value === undefined) return null;
		const type = column === 'createdAt' ? 'date' : this.columns[column];
		return type === 'date' ? new Date(value as string).getTime() : (value as Cell);
	}

	/** The rows that meet conditions: all, or at most so many, those with the first dates in a column first. */
	find(conditions: Condition[], matchType: string, limit?: number, column = ''): Row[] {
		const is = (row: Row) => (condition: Condition) => {
			const { keyName, keyValue } = condition;
			return meets(this.cell(keyName, row[keyName]), this.cell(keyName, keyValue), condition);
		};
		const all = (row: Row) => conditions.every(is(row));
		const any = (row: Row) => conditions.some(is(row));
		const found = this.rows.filter(matchType === 'anyCondition' ? any : all);
		const time = (row: Row) => new Date(row[column] as string).getTime();
		if (limit) return found.sort((a, b) => time(a) - time(b)).slice(0, limit);
		if (found.length > PAGE) throw new Error('result count changed during pagination');
		return found;
	}

	insert(values: object, now: number): Row {
		const empty = Object.fromEntries(Object.keys(this.columns).map((column) => [column, null]));
		const row = { id: this.nextId++, createdAt: new Date(now).toISOString(), ...empty };
		this.rows.push(row);
		this.write(row, values);
		return row;
	}

	write(row: Row, values: object): void {
		for (const [column, value = null] of Object.entries(values) as Array<[string, unknown]>) {
			if (column === 'id' || column === 'updatedAt') continue;
			const type = this.columns[column];
			if (!type) throw new Error(`There is no column ${column}.`);
			const isTime = type === 'date' && value !== null && value !== '';
			row[column] = isTime ? new Date(value as string).toISOString() : value;
		}
	}
}
