import { DateTime } from 'luxon';

import { insertRows } from '../test/n8n/dataTables';
import { outputOf, type Execution } from '../test/n8n/executions';
import { createCredential } from '../test/n8n/workflows';
import { publishCopy, saveParameters } from '../test/e2e/examples';
import { RETRIES, retry } from '../test/e2e/retry';
import { DATA, DOWN, failOnly, PYTHON, useShop } from '../test/e2e/shop';
import { CREDENTIAL_TYPE } from '../test/e2e/world';

const time = expect.any(String) as string;

const NOT_ENROLLED = {
	result: 'failed',
	enrolled: false,
	reason: 'The buyer could not be enrolled. Send the payment again later.',
};

const shop = useShop({ both: [PYTHON, DATA], gone: ['class-unknown'] });
const { world, newPayment, pay, rowsOf, during } = shop;

const sent = () => world.service.requests.map(({ method, path }) => `${method} ${path}`);

const lastExecution = async (workflow = shop.workflow) => await shop.lastExecution(workflow);

/** Publishes a copy of the recipe with other parameters, at a path of its own. */
async function publishAt(path: string, parameters: Record<string, object> = {}, credentials = {}) {
	const changed = { 'Payment Received': { path }, ...parameters };
	return await publishCopy(world.session, shop.workflow, changed, credentials);
}

/** Sends a payment that fails, by default at the link, and forgets the requests for it. */
async function fail(payment: object, path = '/magic-link'): Promise<Execution> {
	const { status } = await during(failOnly(path), () => pay(payment));
	expect(status).toBeGreaterThanOrEqual(400);
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
			linkSentAt: time,
			removedAt: null,
		};
		expect(await rowsOf({ email })).toMatchObject([
			{ ...recorded, classId: PYTHON },
			{ ...recorded, classId: DATA },
		]);
		expect(await lastExecution()).toMatchObject({ status: 'success' });
	});

	it('that comes again gets a response, but no second link', async () => {
		const payment = newPayment({ paymentId: 1001 });
		await pay(payment);
		world.service.resetRecord();
		expect(await pay(payment)).toEqual({ status: 200, body: { result: 'already processed' } });
		expect(sent()).toEqual([]);
		expect(await rowsOf({ email: payment.buyer.email })).toHaveLength(2);
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
		expect(await rowsOf({ email })).toHaveLength(2);
	});

	it('for the next year adds access to the table', async () => {
		const first = newPayment();
		await pay(first);
		const renewal = newPayment({ buyer: first.buyer, products: [DATA] });
		expect(await pay(renewal)).toMatchObject({ status: 200 });
		expect(world.service.magicLinks).toHaveLength(2);
		expect(await rowsOf({ email: first.buyer.email })).toMatchObject([
			{ classId: PYTHON, paymentId: first.paymentId },
			{ classId: DATA, paymentId: first.paymentId },
			{ classId: DATA, paymentId: renewal.paymentId, linkSentAt: time },
		]);
	});

	it.each([
		['a list', [PYTHON, DATA]],
		['a text', `${PYTHON}, ${DATA}`],
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
			expect(await lastExecution()).toMatchObject({ status: 'success' });
		},
	);

	it.each(['refunded', 'charge_back', 'Reembolsado', 'estornado'])(
		'"%s" is recorded, and the payment then enrolls nobody',
		async (status) => {
			const payment = newPayment();
			const answer = { status: 200, body: { result: 'refund recorded' } };
			expect(await pay({ ...payment, status })).toEqual(answer);
			const { paymentId } = payment;
			const rows = await rowsOf({});
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
});

describe('an invalid payment', () => {
	const unknown = (status: string): [string, object, RegExp] => [
		`the unknown status "${status}"`,
		{ status },
		new RegExp(`^Unknown status: "${status}"\\. It is on no list in Words of the Shop\\.$`),
	];

	it.each<[string, object, RegExp]>([
		...['paied', 'partially_refunded', '-', 'оплачен'].map(unknown),
		['an invalid email', { buyer: { email: 'student@' } }, /^'Email' is not an [^.[]*"student@"$/],
		['no buyer', { buyer: undefined }, /^'Email' is empty$/],
		['no product', { products: undefined }, /^The payment contains no product\.$/],
		['an empty list', { products: [] }, /^The payment contains no product\.$/],
		[
			'an unknown product',
			{ products: [PYTHON, 'rust'] },
			/^Unknown product: rust\. The data table class_products has no class for it\.$/,
		],
		['no ID', { paymentId: '' }, /^The payment ID or the status is missing\.$/],
		['no status', { status: undefined }, /^The payment ID or the status is missing\.$/],
		['an unknown class', { products: ['gone'] }, /\(status 400\): Class not found: class-unknown$/],
	])('with %s gets 422 and the reason, and the execution fails', async (_, changes, reason) => {
		const payment = newPayment(changes);
		const { status, body } = await pay(payment);
		expect(status).toBe(422);
		const failed = { result: 'failed', enrolled: false };
		expect(body).toEqual({ ...failed, reason: expect.stringMatching(reason) as string });
		expect(world.service.requests.filter((request) => request.status === 200)).toEqual([]);
		expect(await rowsOf({ paymentId: payment.paymentId })).toEqual([]);
		const { error } = await lastExecution();
		expect(error?.message).toContain((body as { reason: string }).reason);
	});
});

describe('nothing is lost', () => {
	it.each([
		['fails', DOWN],
		['does not accept the token', { failWith: { status: 401 } }],
		['cuts the connection', { drop: { when: 'before' as const } }],
		['cuts the connection after enrolling', { drop: { when: 'after' as const } }],
	])('when the service %s: the shop gets 503, and its next try succeeds', async (_, temper) => {
		const payment = newPayment();
		const { email } = payment.buyer;
		const answer = await during(temper, () => pay(payment));
		expect(answer).toEqual({ status: 503, body: NOT_ENROLLED });
		expect(world.service.magicLinks).toEqual([]);
		expect(await lastExecution()).toMatchObject({ status: 'error' });

		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'enrolled' } });
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf({ email })).toHaveLength(2);
	});

	it('when only the link fails: the shop gets 503, and its next try sends the link', async () => {
		const payment = newPayment();
		const { email } = payment.buyer;
		const payWithoutLinks = () => during(failOnly('/magic-link'), () => pay(payment));
		const unsent = { status: 503, body: { result: 'failed', enrolled: true } };
		expect(await payWithoutLinks()).toMatchObject(unsent);
		expect(await rowsOf({ email })).toMatchObject([{ linkSentAt: null }, { linkSentAt: null }]);

		world.service.resetRecord();
		expect(await payWithoutLinks()).toMatchObject(unsent);
		expect(await pay(payment)).toEqual({
			status: 200,
			body: { result: 'enrolled', email, classIds: [PYTHON, DATA], accessUntil: time },
		});
		expect(sent()).toEqual(['POST /magic-link', 'POST /magic-link']);
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf({ email })).toMatchObject([{ linkSentAt: time }, { linkSentAt: time }]);
	});

	it('when the credential is wrong: the shop gets 503', async () => {
		const wrong = { baseUrl: 'no address', accessToken: world.service.accessToken };
		const credential = await createCredential(world.session, CREDENTIAL_TYPE, 'Wrong', wrong);
		const saved = await publishAt('misconfigured', {}, { [CREDENTIAL_TYPE]: credential });
		expect(await pay(newPayment(), { path: 'misconfigured' })).toMatchObject({
			status: 503,
			body: NOT_ENROLLED,
		});
		const { error } = await lastExecution(saved);
		expect(error?.message).toContain('Base URL');
	});

	it('when n8n itself fails: the shop gets 500', async () => {
		const dataTableId = { __rl: true, mode: 'name', value: 'no_such_table' };
		await publishAt('broken', { 'Look Up Payment': { dataTableId } });
		expect(await pay(newPayment(), { path: 'broken' })).toMatchObject({ status: 500 });
		expect(sent()).toEqual([]);
	});
});

describe.each(RETRIES)('the button "%s"', (_, loadWorkflow) => {
	const press = async (failed: Execution) => await retry(world.session, failed, loadWorkflow);

	it.each([
		['enrolling', '/classe/add-student', ['POST /classe/add-student', 'POST /magic-link']],
		['the link', '/magic-link', ['POST /magic-link']],
	])('fails again while %s fails, and then does the rest', async (_part, path, rest) => {
		const payment = newPayment();
		const { email } = payment.buyer;
		const failed = await fail(payment, path);
		const again = await during(failOnly(path), () => press(failed));
		expect(again.status).toBe('error');
		expect(again.error?.message).toBe(failed.error?.message);

		world.service.resetRecord();
		expect(await press(again)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual(rest);
		expect(world.service.magicLinks).toEqual([{ email }]);
		expect(await rowsOf({ email })).toMatchObject([
			{ classId: PYTHON, linkSentAt: time },
			{ classId: DATA, linkSentAt: time },
		]);
	});

	it('does nothing after the shop has sent the payment again', async () => {
		const payment = newPayment();
		const failed = await fail(payment);
		expect(await pay(payment)).toMatchObject({ body: { result: 'enrolled' } });
		const rows = await rowsOf({ email: payment.buyer.email });
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(world.service.magicLinks).toHaveLength(1);
		expect(await rowsOf({ email: payment.buyer.email })).toEqual(rows);
	});

	it('enrolls nobody whose payment was refunded meanwhile', async () => {
		const payment = newPayment();
		const failed = await fail(payment, '/classe/add-student');
		await pay({ ...payment, status: 'refunded' });
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([]);
	});

	it('enrolls the buyer of a product that was added to the table', async () => {
		const product = `new-${loadWorkflow}`;
		const payment = newPayment({ products: [PYTHON, product] });
		const failed = await fail(payment);
		expect(failed.error?.message).toContain(`Unknown product: ${product}.`);
		await insertRows(world.session, shop.productTable, [{ product, classId: DATA }]);
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(await rowsOf({ email: payment.buyer.email })).toMatchObject([
			{ classId: PYTHON },
			{ classId: DATA },
		]);
	});

	it('sends no second link when n8n failed after the first', async () => {
		const payment = newPayment();
		const path = `unmarked-${loadWorkflow}`;
		const dataTableId = { __rl: true, mode: 'name', value: '={{ $vars.none }}' };
		const saved = await publishAt(path, { 'Mark Link Sent': { dataTableId } });
		expect(await pay(payment, { path })).toMatchObject({ status: 500 });
		const failed = await lastExecution(saved);
		world.service.resetRecord();
		await press(failed);
		expect(sent()).toEqual([]);
	});
});

test('a word that was added to the list makes Retry enroll the buyer', async () => {
	const { nodes } = shop.workflow;
	const words = nodes.find(({ name }) => name === 'Words of the Shop')?.parameters as {
		assignments: { assignments: Array<{ name: string; value: string }> };
	};
	const [paid, ...others] = words.assignments.assignments;
	const changed = { ...paid, value: `${paid?.value}, bezahlt` };
	const path = 'another-word';
	const saved = await publishAt(path);
	const payment = newPayment({ status: 'Bezahlt' });
	expect(await pay(payment, { path })).toMatchObject({ status: 422 });
	const failed = await lastExecution(saved);

	expect(await retry(world.session, failed, true)).toMatchObject({ status: 'error' });
	await saveParameters(world.session, saved, {
		'Words of the Shop': { ...words, assignments: { assignments: [changed, ...others] } },
	});
	expect(await retry(world.session, failed, false)).toMatchObject({ status: 'error' });
	const done = await retry(world.session, failed, true);
	expect(outputOf(done, 'Mark Link Sent')).toHaveLength(2);
	expect(world.service.magicLinks).toEqual([{ email: payment.buyer.email }]);
});
