import filter from 'lodash/filter';

import { readRows, type Row } from '../n8n/dataTables';
import { waitForLastExecution } from '../n8n/executions';
import { publishWorkflow, type SavedWorkflow } from '../n8n/workflows';
import type { N8nServer } from '../n8n/server';
import type { Temper } from '../service/service';
import { SECRET, setUpPayments } from './examples';
import { startWorld, useWorld } from './world';

export const PYTHON = 'class-python';
export const DATA = 'class-data';
export const PAYMENT_PATH = 'class-enrollment-payment';
const REFUND_PATH = 'class-enrollment-refund';

export interface CallOptions {
	secret?: string;
	/** The path of the webhook. */
	path?: string;
}

/**
 * Gives the tests of a file a world with two classes and the payment recipe, published. `bundles` are products besides
 * the classes.
 */
export function useShop(bundles: Record<string, string[]> = {}) {
	const world = useWorld(startWorld);
	const shop = {} as Awaited<ReturnType<typeof setUpPayments>>;
	beforeAll(async () => {
		for (const id of [PYTHON, DATA]) world.service.classes.addClass({ id, name: id });
		Object.assign(shop, await setUpPayments(world, bundles));
		await publishWorkflow(world.session, shop.workflow);
	});

	let payments = 0;
	return Object.assign(shop, {
		world,
		/** A payment of a new buyer for both classes. */
		newPayment(changes: object = {}) {
			const number = ++payments;
			return {
				paymentId: `payment-${number}`,
				status: 'paid',
				buyer: { name: `Student ${number}`, email: `student-${number}@example.com` },
				products: [PYTHON, DATA],
				...changes,
			};
		},
		/** Sends a payment to the workflow, as a shop does. */
		pay: async (payment: object, { path = PAYMENT_PATH, secret }: CallOptions = {}) =>
			await callWebhook(world.n8n, path, payment, secret),
		/** Reports to the workflow that the shop has given the money back. */
		giveBack: async (refund: object, { path = REFUND_PATH, secret }: CallOptions = {}) =>
			await callWebhook(world.n8n, path, refund, secret),
		/** Does something while the service behaves like this. */
		async during<T>(temper: Temper, work: () => Promise<T>): Promise<T> {
			world.service.temper = temper;
			const result = await work();
			world.service.temper = {};
			return result;
		},
		lastExecution: async ({ id }: SavedWorkflow) => await waitForLastExecution(world.session, id),
		/** The rows of the table that have these values. */
		rowsOf: async (values: Row) => filter(await readRows(world.session, shop.table), values),
	});
}

/** Calls a published recipe. The body of its response is parsed if it is JSON, otherwise text. */
export async function callWebhook(
	{ url }: Pick<N8nServer, 'url'>,
	path: string,
	body: object,
	secret = SECRET.value,
): Promise<{ status: number; body: unknown }> {
	const response = await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [SECRET.name]: secret },
		body: JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return { status: response.status, body: isJson ? JSON.parse(text) : text };
}

/** The request that removes a student from a class. */
export const removal = (email: string, classId: string) => ({
	method: 'DELETE',
	path: `/classe/${classId}/remove-student`,
	query: {},
	body: { email },
});

/** Lets all requests fail. */
export const DOWN: Temper = { failWith: { status: 500 } };

/** Lets the requests to one path fail. */
export const failOnly = (only: string): Temper => ({
	failWith: { status: 500, only: ({ path }) => path === only },
});
