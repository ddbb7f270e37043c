import filter from 'lodash/filter';

import { importExample, runNight } from '../test/e2e/examples';
import { DATA, DOWN, PYTHON } from '../test/e2e/shop';
import { startWorld, useWorld } from '../test/e2e/world';
import {
	findDataTable,
	insertRows,
	readRows,
	type DataTable,
	type Row,
} from '../test/n8n/dataTables';
import { runWorkflow } from '../test/n8n/executions';
import {
	connectInOrder,
	importWorkflow,
	publishWorkflow,
	type SavedWorkflow,
	type WorkflowNode,
} from '../test/n8n/workflows';

const PATH = 'any-shop';
const DAY = 86_400_000;
const world = useWorld(startWorld);
const tables = {} as { access: DataTable; products: DataTable };
let classAccess: SavedWorkflow;
let buyers = 0;

const node = (
	name: string,
	type: string,
	typeVersion: number,
	parameters: object,
): WorkflowNode => {
	return { name, type: `n8n-nodes-base.${type}`, typeVersion, position: [0, 0], parameters };
};

/** A workflow that gives Class access what it receives. */
const anyShop = (workflowId: string) =>
	connectInOrder([
		{
			...node('Received', 'webhook', 2, {
				httpMethod: 'POST',
				path: PATH,
				responseMode: 'lastNode',
			}),
			webhookId: PATH,
		},
		node('Sale', 'set', 3.4, { mode: 'raw', jsonOutput: '={{ $json.body }}', options: {} }),
		node('Class access', 'executeWorkflow', 1.3, {
			workflowId: { __rl: true, mode: 'id', value: workflowId },
			options: {},
		}),
	]);

beforeAll(async () => {
	for (const id of [PYTHON, DATA]) world.service.classes.addClass({ id, name: id });
	const { session } = world;
	classAccess = await importExample(world, 'class-access');
	expect(await runWorkflow(session, classAccess, 'Set Up Once')).toMatchObject({
		status: 'success',
	});
	tables.access = await findDataTable(session, 'class_access');
	tables.products = await findDataTable(session, 'class_products');
	expect(await readRows(session, tables.products)).toMatchObject([
		{ className: PYTHON, classId: PYTHON, product: null },
		{ className: DATA, classId: DATA, product: null },
	]);
	await insertRows(session, tables.products, [
		{ product: 'python, PY 1', classId: PYTHON },
		{ product: 'bundle', classId: PYTHON, months: 1 },
		{ product: 'bundle', classId: DATA, months: 1 },
		{ product: 'endless', classId: PYTHON, months: 10_000_000 },
		{ product: 'none', classId: '-' },
	]);
	await publishWorkflow(session, classAccess);
	const shop = { name: 'Any shop', settings: {}, ...anyShop(classAccess.id) };
	await publishWorkflow(session, await importWorkflow(session, shop));
});

function newSale(changes: object = {}) {
	const number = ++buyers;
	return {
		paymentId: `payment-${number}`,
		status: 'paid',
		email: `student-${number}@example.com`,
		name: `Student ${number}`,
		products: 'python',
		paidAt: new Date(Date.now() - number * 1000).toISOString(),
		...changes,
	};
}

async function send(sale: object): Promise<Record<string, unknown>> {
	const response = await fetch(`${world.n8n.url}/webhook/${PATH}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(sale),
	});
	return (await response.json()) as Record<string, unknown>;
}

const sent = () => world.service.requests.map(({ path }) => path.split('/').at(-1));
const rowsOf = async (values: Row) => filter(await readRows(world.session, tables.access), values);
const classesOf = ({ email }: { email: string }) =>
	[PYTHON, DATA].filter((id) => world.service.classes.isIn(id, email));

test('a payment adds the buyer and sends one magic link, a repeat does nothing', async () => {
	const sale = newSale({ products: '["BUNDLE", null]' });
	expect(await send(sale)).toMatchObject({ code: 200, result: 'added' });
	expect(classesOf(sale)).toEqual([PYTHON, DATA]);
	expect(sent()).toEqual(['add-student', 'add-student', 'magic-link']);
	expect(await send(sale)).toMatchObject({ code: 200, result: 'already processed' });
	expect(sent()).toHaveLength(3);
	const rows = await rowsOf({ email: sale.email });
	expect(rows).toHaveLength(2);
	for (const row of rows) {
		expect(row).toMatchObject({ removedAt: null, endedAt: null, problem: null });
		expect([row.enrolledAt, row.linkSentAt]).not.toContain(null);
		expect(new Date(row.expiresAt as string).getTime()).toBeGreaterThan(Date.now() + 27 * DAY);
	}
});

test('a renewal extends access without a magic link, and a refund of it takes that back', async () => {
	const first = newSale({ products: ' Py1 ' });
	await send(first);
	const renewal = newSale({ email: ` ${first.email.toUpperCase()}` });
	expect(await send(renewal)).toMatchObject({ result: 'added' });
	expect(sent()).toEqual(['add-student', 'magic-link', 'add-student']);
	const years = () => {
		const student = world.service.classes
			.studentsOf(PYTHON)
			.find(({ email }) => email === first.email);
		return (
			new Date(JSON.stringify(student).match(/20\d\d-\d\d-\d\d/)![0]).getUTCFullYear() -
			new Date().getUTCFullYear()
		);
	};
	expect(years()).toBe(2);
	expect(await send({ ...renewal, status: 'refunded' })).toMatchObject({ result: 'refunded' });
	expect(years()).toBe(1);
	expect(await send({ ...first, status: 'refunded' })).toMatchObject({ result: 'refunded' });
	expect(classesOf(first)).toEqual([]);
});

test('a refund that comes first keeps the buyer out', async () => {
	const sale = newSale();
	expect(await send({ ...sale, status: 'refunded' })).toMatchObject({
		code: 200,
		result: 'refunded',
	});
	expect(await send(sale)).toMatchObject({ code: 200, result: 'not added' });
	expect(sent()).toEqual([]);
});

test('two notifications at once send one magic link', async () => {
	const sale = newSale();
	const answers = await Promise.all([send(sale), send(sale)]);
	expect(answers).toMatchObject([{ code: 200 }, { code: 200 }]);
	expect(classesOf(sale)).toEqual([PYTHON]);
	expect(sent().filter((request) => request === 'magic-link')).toHaveLength(1);
	expect(await rowsOf({ email: sale.email })).toHaveLength(1);
});

test.each([
	['unknown', 'Unknown product: unknown.'],
	['endless', 'from 1 to 1200'],
])('the products %j fail', async (products, failure) => {
	expect(await send(newSale({ products }))).toMatchObject({
		code: 422,
		result: 'failed',
		failure: expect.stringContaining(failure) as string,
	});
	expect(sent()).toEqual([]);
});

test('what failed is done when the sale is sent again', async () => {
	const sale = newSale();
	world.service.temper = DOWN;
	expect(await send(sale)).toMatchObject({ code: 503, result: 'failed' });
	world.service.temper = {};
	expect(await send(sale)).toMatchObject({ code: 200, result: 'added' });
	expect(classesOf(sale)).toEqual([PYTHON]);
	world.service.temper = DOWN;
	expect(await send({ ...sale, status: 'refunded' })).toMatchObject({ code: 503 });
	world.service.temper = {};
	expect(await send({ ...sale, status: 'refunded' })).toMatchObject({ code: 200 });
	expect(classesOf(sale)).toEqual([]);
});

test('the night removes whose access has ended, and does what failed', async () => {
	const ended = newSale();
	const failed = newSale();
	const lasting = newSale();
	await send(ended);
	await send(lasting);
	world.service.temper = DOWN;
	await send(failed);
	world.service.temper = {};
	// As if it had been paid long ago.
	const past = new Date(Date.now() - 400 * DAY).toISOString();
	await insertRows(world.session, tables.access, [
		{
			paymentId: 'old',
			classId: DATA,
			email: ended.email,
			paidAt: past,
			months: 12,
			enrolledAt: past,
			linkSentAt: past,
			expiresAt: new Date(Date.now() - DAY).toISOString(),
		},
	]);
	world.service.classes.enroll([DATA], [{ email: ended.email, name: ended.name }]);
	world.service.resetRecord();
	expect(await runNight(world.session, classAccess)).toMatchObject({ status: 'success' });
	expect(classesOf(failed)).toEqual([PYTHON]);
	expect(classesOf(lasting)).toEqual([PYTHON]);
	expect(classesOf(ended)).toEqual([PYTHON]);
	expect(sent().sort()).toEqual(['add-student', 'magic-link', 'remove-student']);
});
