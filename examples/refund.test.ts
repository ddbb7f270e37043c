import { waitForLastExecution, type Execution } from '../test/n8n/executions';
import { importWorkflow, publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { received } from '../test/service/service';
import { importExample, runNight, withParameters } from '../test/e2e/examples';
import { RETRIES, retry } from '../test/e2e/retry';
import {
	DATA,
	failOnly,
	PYTHON,
	removal,
	useShop,
	type Answer,
	type CallOptions,
} from '../test/e2e/shop';

const NOTHING_LEFT = { status: 200, body: { result: 'refunded', removedFrom: [], keptIn: [] } };
const time = expect.any(String) as string;

const shop = useShop();
const { world, newPayment, pay } = shop;
type Payment = ReturnType<typeof newPayment>;
let workflow: SavedWorkflow;
let night: SavedWorkflow;

beforeAll(async () => {
	const credentials = { httpHeaderAuth: shop.secret };
	workflow = await importExample(world, 'refund', { credentials });
	night = await importExample(world, 'nightly-removal');
	await publishWorkflow(world.session, workflow);
});

/** Pays, and forgets the requests for it. */
async function paid(changes: object = {}) {
	const payment = newPayment(changes);
	expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'enrolled' } });
	world.service.resetRecord();
	return payment;
}

async function giveBack(
	{ paymentId }: Pick<Payment, 'paymentId'>,
	{ status = 'refunded', ...options }: CallOptions & { status?: string } = {},
): Promise<Answer> {
	return await shop.giveBack({ paymentId, status }, options);
}

const sent = () => received(world.service);

const removalOf = ({ buyer }: Payment, classId: string) => removal(buyer.email, classId);

/** The classes that the buyer is in. */
function classesOf({ buyer }: Payment): string[] {
	return [PYTHON, DATA].filter((id) =>
		world.service.classes.studentsOf(id).some(({ email }) => email === buyer.email),
	);
}

const rowsOf = async ({ paymentId }: Payment) => await shop.rowsOf({ paymentId });

const lastExecution = async () => await waitForLastExecution(world.session, workflow.id);

async function letNightRun(): Promise<void> {
	world.service.resetRecord();
	expect(await runNight(world.session, night)).toMatchObject({ status: 'success' });
}

describe('a refund', () => {
	it('is refused without the secret of the shop', async () => {
		const payment = await paid();
		expect(await giveBack(payment, { secret: 'another' })).toMatchObject({ status: 403 });
		expect(sent()).toEqual([]);
		expect(await rowsOf(payment)).toMatchObject([{ endedAt: null }, { endedAt: null }]);
	});

	it.each(['refunded', 'charge_back', 'Refund', 'reembolsado', 'Estornado'])(
		'reported as "%s" removes the buyer from all classes of the payment and records it',
		async (status) => {
			const [payment, another] = [await paid(), await paid()];
			expect(await giveBack(payment, { status })).toEqual({
				status: 200,
				body: { result: 'refunded', removedFrom: [PYTHON, DATA], keptIn: [] },
			});
			expect(sent()).toHaveLength(2);
			expect(sent()).toEqual(
				expect.arrayContaining([removalOf(payment, PYTHON), removalOf(payment, DATA)]),
			);
			const recorded = { email: payment.buyer.email, endedAt: time, removedAt: time };
			expect(await rowsOf(payment)).toMatchObject([
				{ ...recorded, classId: PYTHON },
				{ ...recorded, classId: DATA },
			]);
			expect(classesOf(another)).toEqual([PYTHON, DATA]);
			expect(await rowsOf(another)).toMatchObject([{ endedAt: null }, { endedAt: null }]);
			expect(await lastExecution()).toMatchObject({ status: 'success' });
		},
	);

	it('of a payment whose ID is a number is found', async () => {
		const payment = await paid({ paymentId: 1001, products: [DATA] });
		expect(await giveBack(payment)).toMatchObject({ body: { removedFrom: [DATA] } });
		expect(classesOf(payment)).toEqual([]);
	});

	it('that comes again changes nothing', async () => {
		const payment = await paid();
		await giveBack(payment);
		const removed = (await rowsOf(payment)).map(({ removedAt }) => removedAt);
		world.service.resetRecord();
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
		expect(await giveBack(payment, { status: 'chargeback' })).toEqual(NOTHING_LEFT);
		expect(sent()).toEqual([]);
		expect((await rowsOf(payment)).map(({ removedAt }) => removedAt)).toEqual(removed);
		expect(await lastExecution()).toMatchObject({ status: 'success' });
	});

	it('that comes twice at the same time succeeds twice', async () => {
		const payment = await paid();
		const answers = await Promise.all([giveBack(payment), giveBack(payment)]);
		expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
		expect(classesOf(payment)).toEqual([]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
	});

	it('leaves nothing to do when the payment comes again', async () => {
		const payment = await paid();
		await giveBack(payment);
		world.service.resetRecord();
		expect(await pay(payment)).toEqual({ status: 200, body: { result: 'already processed' } });
		expect(sent()).toEqual([]);
	});

	it('of a payment whose link could not be sent removes the buyer, and no link follows', async () => {
		const payment = newPayment();
		world.service.temper = failOnly('/magic-link');
		expect(await pay(payment)).toMatchObject({ status: 503, body: { enrolled: true } });
		world.service.temper = {};
		expect(await giveBack(payment)).toMatchObject({ body: { removedFrom: [PYTHON, DATA] } });
		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'not enrolled' } });
		expect(classesOf(payment)).toEqual([]);
		expect(world.service.magicLinks).toEqual([]);
	});

	it('does not keep the buyer from paying again', async () => {
		const payment = await paid();
		await giveBack(payment);
		const second = await paid({ buyer: payment.buyer });
		expect(classesOf(second)).toEqual([PYTHON, DATA]);
		expect(await giveBack(payment)).toMatchObject({
			status: 200,
			body: { result: 'refunded', removedFrom: [] },
		});
		expect(sent()).toEqual([]);
		expect(classesOf(second)).toEqual([PYTHON, DATA]);
	});
});

describe('two payments for the same class', () => {
	it.each([
		['the first one', 0],
		['the second one', 1],
	])('when %s is refunded: the buyer stays in the class', async (_, refunded) => {
		const first = await paid();
		const second = await paid({ buyer: first.buyer });
		const payment = [first, second][refunded]!;
		expect(await giveBack(payment)).toEqual({
			status: 200,
			body: { result: 'refunded', removedFrom: [], keptIn: [PYTHON, DATA] },
		});
		expect(sent()).toEqual([]);
		expect(classesOf(first)).toEqual([PYTHON, DATA]);
	});

	it('when one is refunded: the buyer leaves only the classes that the other does not cover', async () => {
		const both = await paid();
		await paid({ buyer: both.buyer, products: [DATA] });
		expect(await giveBack(both)).toEqual({
			status: 200,
			body: { result: 'refunded', removedFrom: [PYTHON], keptIn: [DATA] },
		});
		expect(sent()).toEqual([removalOf(both, PYTHON)]);
		expect(classesOf(both)).toEqual([DATA]);
	});

	it('when both are refunded, one after the other: the buyer leaves, and the night has nothing to do', async () => {
		const first = await paid({ products: [PYTHON] });
		const second = await paid({ buyer: first.buyer, products: [PYTHON] });
		expect(await giveBack(second)).toMatchObject({ body: { removedFrom: [], keptIn: [PYTHON] } });
		expect(await giveBack(first)).toMatchObject({ body: { removedFrom: [PYTHON], keptIn: [] } });
		expect(sent()).toEqual([removalOf(first, PYTHON)]);
		expect(await giveBack(second)).toEqual(NOTHING_LEFT);
		await letNightRun();
		expect(sent()).toEqual([]);
	});

	it('when both are refunded at the same time: the buyer leaves', async () => {
		const first = await paid({ products: [PYTHON] });
		const second = await paid({ buyer: first.buyer, products: [PYTHON] });
		const answers = await Promise.all([giveBack(first), giveBack(second)]);
		expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
		await letNightRun();
		expect(classesOf(first)).toEqual([]);
	});
});

describe('a refund of an unknown payment', () => {
	it('is answered clearly, and the payment then enrolls nobody', async () => {
		const payment = newPayment();
		const answer = {
			status: 200,
			body: {
				result: 'unknown payment',
				reason: expect.stringContaining('it enrolls nobody') as string,
			},
		};
		expect(await giveBack(payment)).toEqual(answer);
		expect(await giveBack(payment)).toEqual(answer);
		expect(await rowsOf(payment)).toMatchObject([
			{ email: null, classId: null, endedAt: time, removedAt: null },
		]);
		expect(await lastExecution()).toMatchObject({ status: 'success' });

		expect(await pay(payment)).toMatchObject({ status: 200, body: { result: 'not enrolled' } });
		expect(await rowsOf(payment)).toHaveLength(1);
		await letNightRun();
		expect(sent()).toEqual([]);
		expect(classesOf(payment)).toEqual([]);
	});

	it('does not keep the buyer from paying with another payment', async () => {
		const early = newPayment();
		await giveBack(early);
		const payment = await paid({ buyer: early.buyer });
		expect(classesOf(payment)).toEqual([PYTHON, DATA]);
	});
});

describe('what is no complete refund', () => {
	it.each(['paid', 'Aprovado', 'waiting_payment', 'cancelado'])(
		'with the status "%s" is ignored',
		async (status) => {
			const payment = await paid();
			expect(await giveBack(payment, { status })).toEqual({
				status: 200,
				body: { result: 'ignored', reason: `The status is "${status}", not "refunded".` },
			});
			expect(sent()).toEqual([]);
			expect(await rowsOf(payment)).toMatchObject([{ endedAt: null }, { endedAt: null }]);
			expect(await lastExecution()).toMatchObject({ status: 'success' });
		},
	);

	it.each(['refundet', 'partially_refunded'])(
		'with the unknown status "%s" gets 422, and the execution fails',
		async (status) => {
			const payment = await paid();
			const reason = `Unknown status: "${status}". It is on no list in Words of the Shop.`;
			expect(await giveBack(payment, { status })).toEqual({
				status: 422,
				body: { result: 'failed', reason },
			});
			expect(await rowsOf(payment)).toMatchObject([{ endedAt: null }, { endedAt: null }]);
			const { status: ending, error } = await lastExecution();
			expect(ending).toBe('error');
			expect(error?.message).toContain(reason);
		},
	);

	it.each([
		['no ID', { status: 'refunded' }],
		['an empty ID', { paymentId: '', status: 'refunded' }],
		['no status', { paymentId: 'payment-1' }],
	])('with %s gets 422 and the reason', async (_, refund) => {
		const before = await shop.rowsOf({});
		expect(await shop.giveBack(refund)).toEqual({
			status: 422,
			body: { result: 'failed', reason: 'The payment ID or the status is missing.' },
		});
		expect(sent()).toEqual([]);
		expect(await shop.rowsOf({})).toEqual(before);
		expect(await lastExecution()).toMatchObject({ status: 'error' });
	});
});

describe('nobody keeps access by mistake', () => {
	it.each([
		['fails', { failWith: { status: 500 } }],
		['does not accept the token', { failWith: { status: 401 } }],
		['does not know the address', { failWith: { status: 404 } }],
		['cuts the connection', { drop: { when: 'before' as const } }],
	])('when the service %s: the shop gets 503, and its next try succeeds', async (_, temper) => {
		const payment = await paid();
		world.service.temper = temper;
		expect(await giveBack(payment)).toEqual({
			status: 503,
			body: {
				result: 'failed',
				removedFrom: [],
				notRemovedFrom: [PYTHON, DATA],
				reason: 'The buyer could not be removed from all classes. Send the refund again later.',
			},
		});
		expect(await rowsOf(payment)).toMatchObject([
			{ endedAt: time, removedAt: null },
			{ endedAt: time, removedAt: null },
		]);
		const { status, error } = await lastExecution();
		expect(status).toBe('error');
		expect(error?.message).toContain(`${payment.buyer.email} from class ${DATA}: `);

		world.service.temper = {};
		expect(await giveBack(payment)).toMatchObject({
			status: 200,
			body: { result: 'refunded', removedFrom: [PYTHON, DATA] },
		});
		expect(classesOf(payment)).toEqual([]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
	});

	it('when the service fails for a moment: the workflow tries again itself', async () => {
		const payment = await paid({ products: [PYTHON] });
		world.service.temper = { failWith: { status: 500, times: 2 } };
		expect(await giveBack(payment)).toMatchObject({ status: 200, body: { removedFrom: [PYTHON] } });
		expect(sent()).toHaveLength(3);
	});

	it('when one of two removals fails: the next try repeats only that one', async () => {
		const payment = await paid();
		world.service.temper = failOnly(`/classe/${DATA}/remove-student`);
		expect(await giveBack(payment)).toMatchObject({ status: 503 });
		expect(classesOf(payment)).toEqual([DATA]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: null }]);

		world.service.temper = {};
		world.service.resetRecord();
		expect(await giveBack(payment)).toMatchObject({ status: 200, body: { removedFrom: [DATA] } });
		expect(sent()).toEqual([removalOf(payment, DATA)]);
	});

	it('when the shop does not try again: the night removes the buyer', async () => {
		const payment = await paid();
		world.service.temper = { failWith: { status: 500 } };
		expect(await giveBack(payment)).toMatchObject({ status: 503 });

		world.service.temper = {};
		await letNightRun();
		expect(sent()).toHaveLength(2);
		expect(classesOf(payment)).toEqual([]);
		await letNightRun();
		expect(sent()).toEqual([]);
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
	});

	it('when the response to a removal is lost: the shop succeeds, and the execution says so', async () => {
		const payment = await paid({ products: [PYTHON] });
		world.service.temper = { drop: { when: 'after', times: 1 } };
		expect(await giveBack(payment)).toMatchObject({
			status: 200,
			body: { result: 'refunded', rejectedIn: [PYTHON] },
		});
		expect(classesOf(payment)).toEqual([]);
		const { error } = await lastExecution();
		expect(error?.message).toContain('not found in class');
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
	});

	it('when the buyer was removed by hand: the other classes end, and the execution fails once', async () => {
		const payment = await paid();
		world.service.classes.remove([PYTHON], payment.buyer.email);
		expect(await giveBack(payment)).toEqual({
			status: 200,
			body: {
				result: 'refunded',
				removedFrom: [DATA],
				keptIn: [],
				rejectedIn: [PYTHON],
				reason: 'The service rejected a removal. The buyer is probably no longer in the class.',
			},
		});
		const { status, error } = await lastExecution();
		expect(status).toBe('error');
		expect(error?.message).toContain(`${payment.buyer.email} from class ${PYTHON}: `);
		expect(error?.message).not.toContain(DATA);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
		expect(await lastExecution()).toMatchObject({ status: 'success' });
	});

	it('when n8n itself fails: the shop gets 500', async () => {
		const payment = await paid();
		const dataTableId = { __rl: true, mode: 'name', value: 'no_such_table' };
		const broken = withParameters(workflow, {
			'Refund Received': { path: 'broken' },
			'Record Refund': { dataTableId },
		});
		await publishWorkflow(world.session, await importWorkflow(world.session, broken));
		expect(await giveBack(payment, { path: 'broken' })).toMatchObject({ status: 500 });
		expect(sent()).toEqual([]);
	});
});

describe.each(RETRIES)('the button "%s"', (_, loadWorkflow) => {
	/** Reports a refund that fails, and forgets the requests for it. */
	async function fail(payment: Pick<Payment, 'paymentId'>, temper: object): Promise<Execution> {
		world.service.temper = temper;
		expect(await giveBack(payment)).toMatchObject({ status: 503 });
		world.service.temper = {};
		world.service.resetRecord();
		return await lastExecution();
	}

	const press = async (failed: Execution) => await retry(world.session, failed, loadWorkflow);

	it('removes the buyer after the service was down', async () => {
		const payment = await paid();
		const failed = await fail(payment, { failWith: { status: 500 } });
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toHaveLength(2);
		expect(classesOf(payment)).toEqual([]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
	});

	it('repeats only the removal that failed', async () => {
		const payment = await paid();
		const failed = await fail(payment, failOnly(`/classe/${DATA}/remove-student`));
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([removalOf(payment, DATA)]);
	});

	it('fails again while the service is down, and can be pressed again', async () => {
		const payment = await paid();
		const failed = await fail(payment, { failWith: { status: 500 } });
		world.service.temper = { failWith: { status: 500 } };
		const again = await press(failed);
		expect(again).toMatchObject({ status: 'error' });
		expect(again.error?.message).toContain(`${payment.buyer.email} from class ${PYTHON}: `);
		world.service.temper = {};
		expect(await press(again)).toMatchObject({ status: 'success' });
		expect(classesOf(payment)).toEqual([]);
	});

	it('does nothing after the shop has sent the refund again', async () => {
		const payment = await paid();
		const failed = await fail(payment, { failWith: { status: 500 } });
		await giveBack(payment);
		world.service.resetRecord();
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([]);
	});

	it('keeps the buyer in a class that was paid for again meanwhile', async () => {
		const payment = await paid();
		const failed = await fail(payment, { failWith: { status: 500 } });
		await paid({ buyer: payment.buyer, products: [DATA] });
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([removalOf(payment, PYTHON)]);
		expect(classesOf(payment)).toEqual([DATA]);
	});

	it('succeeds after a removal that the service rejected', async () => {
		const payment = await paid();
		world.service.classes.remove([PYTHON], payment.buyer.email);
		await giveBack(payment);
		const failed = await lastExecution();
		expect(failed).toMatchObject({ status: 'error' });
		world.service.resetRecord();
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([]);
	});
});
