import { DateTime } from 'luxon';

import { insertRows, readRows, type DataTable, type Row } from '../test/n8n/dataTables';
import { outputOf, waitForLastExecution, type Execution } from '../test/n8n/executions';
import {
	createCredential,
	importWorkflow,
	publishWorkflow,
	type SavedWorkflow,
} from '../test/n8n/workflows';
import { RETRIES, retry } from '../test/e2e/retry';
import { saveParameters, setUpPayments, withParameters } from '../test/e2e/examples';
import { pay as payTo, type Answer, type Payment } from '../test/e2e/shop';
import { CREDENTIAL_TYPE, startWorld, type World } from '../test/e2e/world';

const PYTHON = 'class-python';
const DATA = 'class-data';
const PRODUCTS = { python: [PYTHON], data: [DATA], both: [PYTHON, DATA], gone: ['class-unknown'] };
const time = expect.any(String) as string;

const failOnly = (path: string) => ({
	failWith: { status: 500, only: (request: { path: string }) => request.path === path },
});

const NOT_ENROLLED = {
	result: 'failed',
	enrolled: false,
	reason: 'The buyer could not be enrolled. Send the payment again later.',
};

const onNoList = (status: string) =>
	`Unknown status: "${status}". It is on no list in Words of the Shop.`;

let world: World;
let workflow: SavedWorkflow;
let table: DataTable;
let productTable: DataTable;
let payments = 0;

beforeAll(async () => {
	world = await startWorld();
	const { session, service } = world;
	service.classes.addClass({ id: PYTHON, name: 'Python' });
	service.classes.addClass({ id: DATA, name: 'Data Analysis' });
	({ workflow, table, productTable } = await setUpPayments(world, PRODUCTS));
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
		products: ['python', 'data'],
		...changes,
	};
}

async function rowsOf(email: string): Promise<Row[]> {
	return (await readRows(world.session, table)).filter((row) => row.email === email);
}

function sent(): string[] {
	return world.service.requests.map(({ method, path }) => `${method} ${path}`);
}

async function lastExecution(): Promise<Execution> {
	return await waitForLastExecution(world.session, workflow.id);
}

async function lastExecutionEndsWith(status: string): Promise<void> {
	expect(await lastExecution()).toMatchObject({ status });
}

/** Sends a payment that fails, and forgets the requests for it. */
async function fail(payment: Payment): Promise<Execution> {
	expect((await pay(payment)).status).toBeGreaterThanOrEqual(400);
	world.service.temper = {};
	world.service.resetRecord();
	const failed = await lastExecution();
	expect(failed.status).toBe('error');
	return failed;
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
		expect(await pay(payment)).toEqual({ status: 200, body: { result: 'already processed' } });
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
		const renewal = newPayment({ buyer: first.buyer, products: ['data'] });
		expect(await pay(renewal)).toMatchObject({ status: 200 });
		expect(world.service.magicLinks).toHaveLength(2);
		expect(await rowsOf(first.buyer.email)).toMatchObject([
			{ classId: PYTHON, paymentId: first.paymentId },
			{ classId: DATA, paymentId: first.paymentId },
			{ classId: DATA, paymentId: renewal.paymentId, linkSentAt: expect.any(String) as string },
		]);
	});

	it.each([
		['a list', ['python', 'data']],
		['a text', 'python, data'],
		['one code for two classes', 'both'],
		['a code twice, with spaces', [' both ', 'both']],
	])('with the products as %s enrolls the buyer in their classes', async (_, products) => {
		const payment = newPayment({ products });
		expect(await pay(payment)).toMatchObject({ body: { classIds: [PYTHON, DATA] } });
	});

	it('with spaces and upper case in the email is found again', async () => {
		const { buyer } = newPayment();
		const sloppy = newPayment({ buyer: { ...buyer, email: ` ${buyer.email.toUpperCase()} ` } });
		expect(await pay(sloppy)).toMatchObject({ body: { email: buyer.email } });
	});
});

describe('the status', () => {
	it.each(['PAID', 'approved', 'Aprovado', 'pagamento aprovado', 'concluido', 'completed'])(
		'"%s" means that the payment is paid',
		async (status) => {
			expect(await pay(newPayment({ status }))).toMatchObject({ body: { result: 'enrolled' } });
		},
	);

	it.each(['pending', 'waiting_payment', 'Boleto-Printed', 'em análise', 'cancelado', 'expirado'])(
		'"%s" needs nothing',
		async (status) => {
			expect(await pay(newPayment({ status }))).toEqual({
				status: 200,
				body: { result: 'ignored', reason: `The status is "${status}", not "paid".` },
			});
			expect(sent()).toEqual([]);
			await lastExecutionEndsWith('success');
		},
	);

	it.each(['refunded', 'charge_back', 'Reembolsado', 'estornado'])(
		'"%s" is recorded, and the payment then enrolls nobody',
		async (status) => {
			const payment = newPayment();
			const answer = { status: 200, body: { result: 'refund recorded' } };
			expect(await pay({ ...payment, status })).toEqual(answer);
			const { paymentId } = payment;
			const rows = await readRows(world.session, table);
			expect(rows.at(-1)).toMatchObject({ paymentId, email: null, endedAt: time });
			expect(await pay(payment)).toEqual({
				status: 200,
				body: {
					result: 'not enrolled',
					reason: 'The access of this payment has ended, usually by a refund.',
				},
			});
			expect(sent()).toEqual([]);
		},
	);

	it.each(['paied', 'partially_refunded', '-', 'оплачен'])(
		'"%s" is on no list: the shop gets 422, and the execution fails',
		async (status) => {
			const payment = newPayment({ status });
			expect(await pay(payment)).toEqual({
				status: 422,
				body: { result: 'failed', enrolled: false, reason: onNoList(status) },
			});
			expect(sent()).toEqual([]);
			expect((await lastExecution()).error?.message).toContain(onNoList(status));
		},
	);
});

describe('an invalid payment', () => {
	it.each([
		['an invalid email', { buyer: { email: 'student@' } }, /^'Email' is not an [^.[]*"student@"$/],
		['no buyer', { buyer: undefined }, /^'Email' is empty$/],
		['no product', { products: undefined }, /^The payment contains no product\.$/],
		['an empty list', { products: [] }, /^The payment contains no product\.$/],
		[
			'an unknown product',
			{ products: ['python', 'rust'] },
			/^Unknown product: rust\. The data table class_products has no class for it\.$/,
		],
		['no ID', { paymentId: '' }, /^The payment ID or the status is missing\.$/],
		['no status', { status: undefined }, /^The payment ID or the status is missing\.$/],
		['an unknown class', { products: ['gone'] }, /\(status 400\): Class not found: class-unknown$/],
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
	])('when the service %s: the shop gets 503, and its next try succeeds', async (_, temper) => {
		const payment = newPayment();
		const { email } = payment.buyer;
		world.service.temper = temper;
		expect(await pay(payment)).toEqual({ status: 503, body: NOT_ENROLLED });
		expect(world.service.magicLinks).toEqual([]);
		await lastExecutionEndsWith('error');

		world.service.temper = {};
		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'enrolled' } });
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf(email)).toHaveLength(2);
	});

	it('when only the link fails: the shop gets 503, and its next try sends the link', async () => {
		const payment = newPayment();
		const { email } = payment.buyer;
		world.service.temper = failOnly('/magic-link');
		expect(await pay(payment)).toMatchObject({
			status: 503,
			body: { result: 'failed', enrolled: true },
		});
		expect(await rowsOf(email)).toMatchObject([{ linkSentAt: null }, { linkSentAt: null }]);

		world.service.temper = failOnly('/magic-link');
		world.service.resetRecord();
		expect(await pay(payment)).toMatchObject({ status: 503, body: { enrolled: true } });
		world.service.temper = {};
		expect(await pay(payment)).toEqual({
			status: 200,
			body: { result: 'enrolled', email, classIds: [PYTHON, DATA], accessUntil: time },
		});
		expect(sent()).toEqual(['POST /magic-link', 'POST /magic-link']);
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf(email)).toMatchObject([
			{ linkSentAt: expect.any(String) as string },
			{ linkSentAt: expect.any(String) as string },
		]);
	});

	it('when the credential is wrong: the shop gets 503', async () => {
		const wrong = { baseUrl: 'no address', accessToken: world.service.accessToken };
		const misconfigured = withParameters(workflow, {
			'Payment Received': { path: 'misconfigured' },
		});
		const saved = await importWorkflow(world.session, misconfigured, {
			[CREDENTIAL_TYPE]: await createCredential(world.session, CREDENTIAL_TYPE, 'Wrong', wrong),
		});
		await publishWorkflow(world.session, saved);
		expect(await pay(newPayment(), { path: 'misconfigured' })).toMatchObject({
			status: 503,
			body: NOT_ENROLLED,
		});
		const { error } = await waitForLastExecution(world.session, saved.id);
		expect(error?.message).toContain('Base URL');
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

describe.each(RETRIES)('the button "%s"', (_, loadWorkflow) => {
	it.each([
		['enrolling', '/classe/add-student', ['POST /classe/add-student', 'POST /magic-link']],
		['the link', '/magic-link', ['POST /magic-link']],
	])('does the rest of a payment in which %s failed', async (_part, path, rest) => {
		const payment = newPayment();
		const { email } = payment.buyer;
		world.service.temper = failOnly(path);
		const failed = await fail(payment);

		expect(await retry(world.session, failed, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual(rest);
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf(email)).toMatchObject([
			{ classId: PYTHON, linkSentAt: time },
			{ classId: DATA, linkSentAt: time },
		]);
		world.service.resetRecord();
		expect(await pay(payment)).toMatchObject({ body: { result: 'already processed' } });
		expect(sent()).toEqual([]);
	});

	it('fails again while the service is down, and can be pressed again', async () => {
		const payment = newPayment();
		world.service.temper = failOnly('/magic-link');
		const failed = await fail(payment);
		world.service.temper = failOnly('/magic-link');
		const again = await retry(world.session, failed, loadWorkflow);
		expect(again.status).toBe('error');
		expect(again.error?.message).toBe(failed.error?.message);

		world.service.temper = {};
		expect(await retry(world.session, again, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(world.service.magicLinks).toEqual([{ email: payment.buyer.email }]);
	});

	it('does nothing after the shop has sent the payment again', async () => {
		const payment = newPayment();
		world.service.temper = failOnly('/magic-link');
		const failed = await fail(payment);
		expect(await pay(payment)).toMatchObject({ body: { result: 'enrolled' } });
		const rows = await rowsOf(payment.buyer.email);
		expect(await retry(world.session, failed, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(world.service.magicLinks).toHaveLength(1);
		expect(await rowsOf(payment.buyer.email)).toEqual(rows);
	});

	it('enrolls nobody whose payment was refunded meanwhile', async () => {
		const payment = newPayment();
		world.service.temper = failOnly('/classe/add-student');
		const failed = await fail(payment);
		await pay({ ...payment, status: 'refunded' });
		expect(await retry(world.session, failed, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([]);
	});

	it('enrolls the buyer of a product that was added to the table', async () => {
		const product = `new-${loadWorkflow}`;
		const payment = newPayment({ products: ['python', product] });
		const failed = await fail(payment);
		expect(failed.error?.message).toContain(`Unknown product: ${product}.`);
		await insertRows(world.session, productTable, [{ product, classId: DATA }]);
		expect(await retry(world.session, failed, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(await rowsOf(payment.buyer.email)).toMatchObject([
			{ classId: PYTHON },
			{ classId: DATA },
		]);
	});

	it('sends no second link when n8n failed after the first', async () => {
		const payment = newPayment();
		const failing = withParameters(workflow, {
			'Payment Received': { path: `unmarked-${loadWorkflow}` },
			'Mark Link Sent': { dataTableId: { __rl: true, mode: 'name', value: '={{ $vars.none }}' } },
		});
		const saved = await importWorkflow(world.session, failing);
		await publishWorkflow(world.session, saved);
		expect(await pay(payment, { path: `unmarked-${loadWorkflow}` })).toMatchObject({ status: 500 });
		const failed = await waitForLastExecution(world.session, saved.id);
		world.service.resetRecord();
		await retry(world.session, failed, loadWorkflow);
		expect(sent()).toEqual([]);
	});
});

test('a word that was added to the list makes Retry enroll the buyer', async () => {
	const { nodes } = workflow;
	const words = nodes.find(({ name }) => name === 'Words of the Shop')?.parameters as {
		assignments: { assignments: Array<{ name: string; value: string }> };
	};
	const [paid, ...others] = words.assignments.assignments;
	const changed = { ...paid, value: `${paid?.value}, bezahlt` };
	const path = 'another-word';
	const saved = await importWorkflow(
		world.session,
		withParameters(workflow, { 'Payment Received': { path } }),
	);
	await publishWorkflow(world.session, saved);
	const payment = newPayment({ status: 'Bezahlt' });
	expect(await pay(payment, { path })).toMatchObject({ status: 422 });
	const failed = await waitForLastExecution(world.session, saved.id);

	expect(await retry(world.session, failed, true)).toMatchObject({ status: 'error' });
	await saveParameters(world.session, saved, {
		'Words of the Shop': { ...words, assignments: { assignments: [changed, ...others] } },
	});
	expect(await retry(world.session, failed, false)).toMatchObject({ status: 'error' });
	const done = await retry(world.session, failed, true);
	expect(outputOf(done, 'Mark Link Sent')).toHaveLength(2);
	expect(world.service.magicLinks).toEqual([{ email: payment.buyer.email }]);
});
