import { get, post, type Session } from './session';

export interface DataTable {
	id: string;
	name: string;
}

export type Row = Record<string, unknown>;

const PAGE = 100;

/** Finds a data table by its name. */
export async function findDataTable(session: Session, name: string): Promise<DataTable> {
	const filter = encodeURIComponent(JSON.stringify({ name }));
	const { data } = await get<{ data: DataTable[] }>(session, `${path(session)}?filter=${filter}`);
	const table = data.find((candidate) => candidate.name === name);
	if (!table) throw new Error(`There is no data table "${name}".`);
	return table;
}

/** Creates a data table with these columns, by their types. */
export async function createDataTable(
	session: Session,
	name: string,
	types: Record<string, string>,
): Promise<DataTable> {
	const columns = Object.entries(types).map(([column, type]) => ({ name: column, type }));
	return await post(session, path(session), { name, columns });
}

/** Adds rows to a data table. */
export async function insertRows(session: Session, table: DataTable, rows: Row[]): Promise<void> {
	await post(session, `${path(session)}/${table.id}/insert`, { data: rows, returnType: 'count' });
}

/** Reads all rows of a data table, in the order in which they were added. */
export async function readRows(session: Session, table: DataTable): Promise<Row[]> {
	const rows: Row[] = [];
	for (;;) {
		const page = await get<{ count: number; data: Row[] }>(
			session,
			`${path(session)}/${table.id}/rows?skip=${rows.length}&take=${PAGE}&sortBy=id:asc`,
		);
		rows.push(...page.data);
		if (page.data.length === 0 || rows.length >= page.count) return rows;
	}
}

const path = ({ projectId }: Session) => `/projects/${projectId}/data-tables`;
