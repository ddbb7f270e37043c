import { DateTime } from 'luxon';

import { readRows, type DataTable, type Row } from '../n8n/dataTables';
import { waitForLastExecution } from '../n8n/executions';
import {
	createCredential,
	importWorkflow,
	publishWorkflow,
	type SavedWorkflow,
} from '../n8n/workflows';
import { setUpPayments, withParameters } from './examples';
import { pay as payTo, type Answer, type Payment } from './shop';
import { CREDENTIAL_TYPE, startWorld, type World } from './world';

const PYTHON = 'class-python';
const DATA = 'class-data';

let world: World;
let workflow: SavedWorkflow;
let table: DataTable;
let payments = 0;

beforeAll(async () => {
	world = await startWorld();
	const { session, service } = world;
	service.classes.addClass({ id: PYTHON, name: 'Python' });
	service.classes.addClass({ id: DATA, name: 'Data Analysis' });
	({ workflow, table } = await setUpPayments(world));
	await publishWorkflow(session, workflow);
});

afterAll(async () => await world?.stop());

beforeEach(() => {
	world.service.temper = {};
	world.service.resetRecord();
});

afterEach(() => expect(world.service.violations).toEqual([]));

async function pay(payment: Payment, options?: Parameters<typeof payTo>[2]): Promise<Answer> {
	return await payTo(world.n8n.url, payment, options);
}

/** A payment by a new buyer. */
function newPayment(changes: object = {}) {
	const number = ++payments;
	const email = `student-${number}@example.com`;
	return {
		paymentId: `payment-${number}`,
		status: 'paid',
		buyer: { name: `Student ${number}`, email },
		classIds: [PYTHON, DATA],
		...changes,
	};
}

async function rowsOf(email: string): Promise<Row[]> {
	return (await readRows(world.session, table)).filter((row) => row.email === email);
}

function sent(): string[] {
	return world.service.requests.map(({ method, path }) => `${method} ${path}`);
}

async function lastExecutionEndsWith(status: string): Promise<void> {
	expect(await waitForLastExecution(world.session, workflow.id)).toMatchObject({ status });
}

describe('a payment', () => {
	it('is refused without the secret of the shop', async () => {
		expect(await pay(newPayment(), { secret: 'another' })).toMatchObject({ status: 403 });
		expect(sent()).toEqual([]);
	});

	it('enrolls the buyer for twelve months, records it, and sends the link', async () => {
		const payment = newPayment();
		const { name, email } = payment.buyer;
		const earliest = DateTime.utc().plus({ months: 12 });
		const answer = await pay(payment);
		const latest = DateTime.utc().plus({ months: 12 });

		expect(sent()).toEqual(['POST /classe/add-student', 'POST /magic-link']);
		const body = world.service.requests[0]?.body as { expirationDate: string };
		const { expirationDate } = body;
		expect(body).toEqual({ name, email, expirationDate, classes: [{ id: PYTHON }, { id: DATA }] });
		expect(DateTime.fromISO(expirationDate) >= earliest).toBe(true);
		expect(DateTime.fromISO(expirationDate) <= latest).toBe(true);
		expect(world.service.magicLinks).toEqual([{ email }]);

		expect(answer).toEqual({
			status: 200,
			body: {
				result: 'enrolled',
				email,
				classIds: [PYTHON, DATA],
				accessUntil: expirationDate,
			},
		});
		const recorded = {
			email,
			paymentId: payment.paymentId,
			expiresAt: expirationDate,
			linkSentAt: expect.any(String) as string,
			removedAt: null,
		};
		expect(await rowsOf(email)).toMatchObject([
			{ ...recorded, classId: PYTHON },
			{ ...recorded, classId: DATA },
		]);
		await lastExecutionEndsWith('success');
	});

	it('that comes again gets a response, but no second link', async () => {
		const payment = newPayment({ paymentId: 1001 });
		await pay(payment);
		world.service.resetRecord();
		expect(await pay(payment)).toEqual({ status: 200, body: { result: 'done before' } });
		expect(sent()).toEqual([]);
		expect(await rowsOf(payment.buyer.email)).toHaveLength(2);
	});

	it('that comes twice at the same time enrolls the buyer once', async () => {
		const payment = newPayment();
		const { email } = payment.buyer;
		const answers = await Promise.all([pay(payment), pay(payment)]);
		expect(answers.map(({ status }) => status)).toEqual([200, 200]);
		for (const id of [PYTHON, DATA]) {
			const enrolled = world.service.classes.studentsOf(id);
			expect(enrolled.filter((student) => student.email === email)).toHaveLength(1);
		}
		expect(await rowsOf(email)).toHaveLength(2);
	});

	it('for the next year adds access to the table', async () => {
		const first = newPayment();
		await pay(first);
		const renewal = newPayment({ buyer: first.buyer, classIds: [DATA] });
		expect(await pay(renewal)).toMatchObject({ status: 200 });
		expect(world.service.magicLinks).toHaveLength(2);
		expect(await rowsOf(first.buyer.email)).toMatchObject([
			{ classId: PYTHON, paymentId: first.paymentId },
			{ classId: DATA, paymentId: first.paymentId },
			{ classId: DATA, paymentId: renewal.paymentId, linkSentAt: expect.any(String) as string },
		]);
	});

	it('that is not paid is ignored', async () => {
		const payment = newPayment({ status: 'refunded' });
		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'ignored' } });
		expect(sent()).toEqual([]);
	});
});

describe('an invalid payment', () => {
	it.each([
		['an invalid email', { buyer: { email: 'student@' } }, /'Email' is not an/],
		['no buyer', { buyer: undefined }, /'Email' is empty/],
		['no class', { classIds: [] }, /no class/],
		['no ID', { paymentId: '' }, /paymentId or status is missing/],
		['no status', { status: undefined }, /paymentId or status is missing/],
		['an unknown class', { classIds: ['class-unknown'] }, /Class not found: class-unknown/],
	])('with %s gets 422 and the reason', async (_, changes, reason) => {
		const payment = newPayment(changes);
		expect(await pay(payment)).toEqual({
			status: 422,
			body: { result: 'failed', enrolled: false, reason: expect.stringMatching(reason) as string },
		});
		expect(world.service.magicLinks).toEqual([]);
		expect(await rowsOf(payment.buyer?.email)).toEqual([]);
		await lastExecutionEndsWith('error');
	});
});

describe('nothing is lost', () => {
	it.each([
		['fails', { failWith: { status: 500 } }],
		['does not accept the token', { failWith: { status: 401 } }],
		['cuts the connection', { drop: { when: 'before' as const } }],
		['cuts the connection after enrolling', { drop: { when: 'after' as const } }],
	])('when the service %s: the shop gets 502, and its next try succeeds', async (_, temper) => {
		const payment = newPayment();
		const { email } = payment.buyer;
		world.service.temper = temper;
		expect(await pay(payment)).toMatchObject({
			status: 502,
			body: { result: 'failed', enrolled: false },
		});
		expect(world.service.magicLinks).toEqual([]);
		await lastExecutionEndsWith('error');

		world.service.temper = {};
		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'enrolled' } });
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf(email)).toHaveLength(2);
	});

	it('when only the link fails: the shop gets 502, and its next try sends the link', async () => {
		const payment = newPayment();
		const { email } = payment.buyer;
		world.service.temper = {
			failWith: { status: 500, only: ({ path }) => path === '/magic-link' },
		};
		expect(await pay(payment)).toMatchObject({
			status: 502,
			body: { result: 'failed', enrolled: true },
		});
		expect(await rowsOf(email)).toMatchObject([{ linkSentAt: null }, { linkSentAt: null }]);

		world.service.temper = {};
		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'enrolled' } });
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf(email)).toMatchObject([
			{ linkSentAt: expect.any(String) as string },
			{ linkSentAt: expect.any(String) as string },
		]);
	});

	it('when the credential is wrong: the shop gets 502', async () => {
		const wrong = { baseUrl: 'no address', accessToken: world.service.accessToken };
		const misconfigured = withParameters(workflow, {
			'Payment Received': { path: 'misconfigured' },
		});
		const saved = await importWorkflow(world.session, misconfigured, {
			[CREDENTIAL_TYPE]: await createCredential(world.session, CREDENTIAL_TYPE, 'Wrong', wrong),
		});
		await publishWorkflow(world.session, saved);
		expect(await pay(newPayment(), { path: 'misconfigured' })).toMatchObject({
			status: 502,
			body: { enrolled: false, reason: expect.stringContaining('Base URL') as string },
		});
	});

	it('when n8n itself fails: the shop gets 500', async () => {
		const dataTableId = { __rl: true, mode: 'name', value: 'no_such_table' };
		const broken = withParameters(workflow, {
			'Payment Received': { path: 'broken' },
			'Look Up Payment': { dataTableId },
		});
		await publishWorkflow(world.session, await importWorkflow(world.session, broken));
		expect(await pay(newPayment(), { path: 'broken' })).toMatchObject({ status: 500 });
		expect(sent()).toEqual([]);
	});
});
