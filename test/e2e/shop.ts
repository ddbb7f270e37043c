import filter from 'lodash/filter';

import { readRows, type DataTable, type Row } from '../n8n/dataTables';
import { waitForLastExecution } from '../n8n/executions';
import { createCredential, publishWorkflow } from '../n8n/workflows';
import type { Temper } from '../service/service';
import { createTables, importExample, readExample } from './examples';
import { NOTIFIERS, SECRET, type Purchase } from './notifications';
import { startWorld, useWorld, type World } from './world';

export const PYTHON = 'class-python';
export const DATA = 'class-data';
/** What is entered in the table of products. Product 4 is no class, 9 is unknown. */
const PRODUCTS: Row[] = [
	{ product: '1', classId: PYTHON },
	{ product: '2', classId: DATA },
	{ product: '3', classId: PYTHON, months: 1 },
	{ product: '3', classId: DATA, months: 1 },
	{ product: '4', classId: '-' },
	{ product: '5', classId: 'class-unknown' },
	{ product: '6', classId: PYTHON, months: 0.5 },
	{ product: 'one, "two"', classId: PYTHON },
];

export type Shop = Awaited<ReturnType<typeof openShop>>;

let purchases = 1000;

/** A purchase of a new buyer. */
export function newPurchase(products: number[], changes: Partial<Purchase> = {}): Purchase {
	const id = ++purchases;
	return { id, name: `Student ${id}`, email: `student-${id}@example.com`, products, ...changes };
}

/** Gives the tests of a file a world with two classes, the data tables, and the products. */
export function useSchool() {
	const world = useWorld(startWorld);
	const tables = {} as { table: DataTable; productTable: DataTable };
	beforeAll(async () => {
		for (const id of [PYTHON, DATA]) world.service.classes.addClass({ id, name: id });
		Object.assign(tables, await createTables(world, PRODUCTS));
	});
	return Object.assign(tables, {
		world,
		/** Does something while the service behaves like this. */
		async during<T>(temper: Temper, work: () => Promise<T>): Promise<T> {
			world.service.temper = temper;
			const result = await work();
			world.service.temper = {};
			return result;
		},
		/** The rows of the table of access that have these values. */
		rowsOf: async (values: Row) => filter(await readRows(world.session, tables.table), values),
		/** The classes that a student is in. */
		classesOf: ({ email }: Pick<Purchase, 'email'>) =>
			[PYTHON, DATA].filter((id) => world.service.classes.isIn(id, email)),
		/** What changes the service received: the last part of the path. */
		sent: () => world.service.requests.map(({ path }) => path.split('/').at(-1)),
	});
}

/** Publishes the recipe of a shop, with other parameters by the name of the node. */
export async function openShop(
	world: World,
	file: string,
	parameters: Record<string, object> = {},
) {
	const { session, n8n } = world;
	const { credential, notify, prove, paid } = NOTIFIERS[file]!;
	const [type, data] = credential;
	const path = `${file}-${Math.random().toString(36).slice(2)}`;
	const chosen = { [type]: await createCredential(session, type, file, data) };
	const recipe = readExample(file);
	// As n8n's editor does on import.
	recipe.nodes.find(({ name }) => name === 'Notification Received')!.webhookId = path;
	const workflow = await importExample(world, recipe, {
		credentials: chosen,
		parameters: { ...parameters, 'Notification Received': { path } },
	});
	await publishWorkflow(session, workflow);
	const lastExecution = async () => await waitForLastExecution(session, workflow.id);

	/** Sends JSON, or a form; without a secret, unsigned. Returns the answer. */
	async function post(content: object | string, secret: string | null = SECRET, to = path) {
		const body = typeof content === 'string' ? content : JSON.stringify(content, null, 1);
		const { headers, query = '' } = secret === null ? {} : prove(body, secret);
		const isForm = typeof content === 'string';
		const response = await fetch(`${n8n.url}/webhook/${to}${query}`, {
			method: 'POST',
			headers: {
				'content-type': isForm ? 'application/x-www-form-urlencoded' : 'application/json',
				...headers,
			},
			body,
		});
		const text = await response.text();
		const isJson = response.headers.get('content-type')?.includes('json');
		return { status: response.status, answer: isJson ? (JSON.parse(text) as object) : text };
	}

	/** Sends a body, and returns what the shop was answered and how the execution ended. */
	async function send(body: object) {
		const answer = await post(body);
		const { status: ended, error } = await lastExecution();
		return { ...answer, ended, error: error?.message };
	}

	/** Reports a status of a purchase. */
	const report = async (purchase: Purchase, status = paid[0]!) =>
		await send(notify(purchase, status));

	return { notify, paid, workflow, lastExecution, post, send, report };
}

/** Lets all requests fail. */
export const DOWN: Temper = { failWith: { status: 500 } };

/** Lets the requests to one path fail. */
export const failOnly = (only: string): Temper => ({
	failWith: { status: 500, only: ({ path }) => path === only },
});

/** The request that removes a student from a class. */
export const removal = (email: string, classId: string) => ({
	method: 'DELETE',
	path: `/classe/${classId}/remove-student`,
	query: {},
	body: { email },
});
