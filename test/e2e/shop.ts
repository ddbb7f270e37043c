import filter from 'lodash/filter';

import { readRows, type Row } from '../n8n/dataTables';
import { waitForLastExecution } from '../n8n/executions';
import { createCredential, publishWorkflow, type SavedWorkflow } from '../n8n/workflows';
import type { Temper } from '../service/service';
import { createTables, importExample, readExample } from './examples';
import { CLASS_ACCESS } from '../../examples/classAccess/workflow';
import { SHOPS } from '../../examples/shops/shops';
import { SECRET, sent, type Content } from '../shops/notifications';
import { startWorld, useWorld, type World } from './world';

export const PYTHON = 'class-python';
export const DATA = 'class-data';
/** What is entered in the table of products. */
const PRODUCTS: Row[] = [
	...['11', 'prod-1', 'plink_1', 'python', '[2027] Python', '[Python]'].map((product) => ({
		product,
		classId: PYTHON,
	})),
	...['12', 'prod-2', 'data'].map((product) => ({ product, classId: DATA })),
	{ product: '99', classId: '-' },
];

export type Shop = Awaited<ReturnType<typeof openShop>>;

/** Gives the tests of a file a world with two classes, Class access, the data tables, and products. */
export function useSchool(products: Row[] = PRODUCTS) {
	const world = useWorld(startWorld);
	const tables = {} as Awaited<ReturnType<typeof createTables>>;
	beforeAll(async () => {
		for (const id of [PYTHON, DATA]) world.service.classes.addClass({ id, name: id });
		Object.assign(tables, await createTables(world, products));
	});
	return Object.assign(tables, {
		world,
		/** Publishes the example of a shop, which calls Class access. */
		openShop: async (shop: string, parameters: Record<string, object> = {}) =>
			await openShop(world, shop, tables.classAccess, parameters),
		/** Does something while the service behaves like this. */
		async during<T>(temper: Temper, work: () => Promise<T>): Promise<T> {
			world.service.temper = temper;
			const result = await work();
			world.service.temper = {};
			return result;
		},
		/** The rows of the table of access that have these values. */
		rowsOf: async (values: Row) => filter(await readRows(world.session, tables.access), values),
		/** The classes that a student is in. */
		classesOf: ({ email }: { email: string }) =>
			[PYTHON, DATA].filter((id) => world.service.classes.isIn(id, email)),
		/** What changes the service received: the last part of the path. */
		sent: () =>
			world.service.requests
				.filter(({ method }) => method !== 'GET')
				.map(({ path }) => path.split('/').at(-1)),
	});
}

/** Publishes the example of a shop, with other parameters by the name of the node. */
async function openShop(
	world: World,
	shop: string,
	{ id }: Pick<SavedWorkflow, 'id'>,
	parameters: Record<string, object>,
) {
	const { session, n8n } = world;
	const { proof } = SHOPS[`shop-${shop}`]!;
	const header = proof.kind === 'header' && proof.header;
	const type = header ? 'httpHeaderAuth' : 'crypto';
	const data = header ? { name: header, value: SECRET } : { hmacSecret: SECRET };
	const path = `${shop}-${Math.random().toString(36).slice(2)}`;
	const example = readExample(`shop-${shop}`);
	// As n8n's editor does on import.
	example.nodes.find(({ name }) => name === 'Notification Received')!.webhookId = path;
	const workflow = await importExample(world, example, {
		credentials: { [type]: await createCredential(session, type, path, data) },
		parameters: {
			'Notification Received': { path },
			[CLASS_ACCESS]: { workflowId: { __rl: true, mode: 'list', value: id } },
			...parameters,
		},
	});
	await publishWorkflow(session, workflow);
	const lastExecution = async () => await waitForLastExecution(session, workflow.id);

	/** Sends a notification, and returns the status of the answer. */
	async function post(notification: Content) {
		const { headers, query, text, body } = sent(shop, notification);
		const { 'content-type': contentType, ...others } = headers;
		const secret: Record<string, string> =
			header && notification.proof !== 'none'
				? { [header]: notification.proof === 'wrong' ? 'another' : SECRET }
				: {};
		const address = (proof.kind === 'address' && notification.proof) || path;
		const isMultipart = contentType?.startsWith('multipart/');
		const { status } = await fetch(
			`${n8n.url}/webhook/${address}?${new URLSearchParams(query).toString()}`,
			{
				method: 'POST',
				headers: { ...others, ...secret, ...(!isMultipart && { 'content-type': contentType! }) },
				body: isMultipart ? formOf(body as object, text) : text,
			},
		);
		return status;
	}

	/** Sends a notification, and returns what the shop was answered and how the execution ended. */
	async function send(notification: Content) {
		const status = await post(notification);
		const { status: ended, error } = await lastExecution();
		return { status, ended, error: error?.message };
	}

	return { workflow, lastExecution, post, send };
}

/** A form with a signed text as its file, and other fields beside it. */
function formOf(fields: object, file: string): FormData {
	const form = new FormData();
	for (const [name, value] of Object.entries(fields)) form.append(name, String(value));
	form.append('data', new Blob([file]), 'data');
	return form;
}

/** Lets all requests fail. */
export const DOWN: Temper = { failWith: { status: 500 } };
