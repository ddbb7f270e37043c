import type { Execution } from '../test/n8n/executions';
import { publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { received, type RequestRecord } from '../test/service/service';
import { importExample, publishCopy, runNight } from '../test/e2e/examples';
import { RETRIES, retry } from '../test/e2e/retry';
import { DATA, DOWN, failOnly, PYTHON, removal, useShop, type CallOptions } from '../test/e2e/shop';

const NOTHING_LEFT = { status: 200, body: { result: 'refunded', removedFrom: [], keptIn: [] } };
const MISSING = 'The payment ID or the status is missing.';
const time = expect.any(String) as string;

const shop = useShop();
const { world, newPayment, pay, during } = shop;
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

const giveBack = async ({ paymentId }: Payment, status = 'refunded', options?: CallOptions) =>
	await shop.giveBack({ paymentId, status }, options);

const sent = () => received(world.service);

const removalOf = ({ buyer }: Payment, classId: string) => removal(buyer.email, classId);

/** The classes that the buyer is in. */
function classesOf({ buyer }: Payment): string[] {
	return [PYTHON, DATA].filter((id) =>
		world.service.classes.studentsOf(id).some(({ email }) => email === buyer.email),
	);
}

const rowsOf = async ({ paymentId }: Payment) => await shop.rowsOf({ paymentId });

const lastExecution = async () => await shop.lastExecution(workflow);

async function letNightRun(): Promise<void> {
	world.service.resetRecord();
	expect(await runNight(world.session, night)).toMatchObject({ status: 'success' });
}

describe('a refund', () => {
	it('is refused without the secret of the shop', async () => {
		const payment = await paid();
		expect(await giveBack(payment, 'refunded', { secret: 'another' })).toMatchObject({
			status: 403,
		});
		expect(sent()).toEqual([]);
		expect(await rowsOf(payment)).toMatchObject([{ endedAt: null }, { endedAt: null }]);
	});

	it.each(['refunded', 'charge_back', 'Refund', 'reembolsado', 'Estornado'])(
		'reported as "%s" removes the buyer from all classes of the payment and records it',
		async (status) => {
			const [payment, another] = [await paid(), await paid()];
			expect(await giveBack(payment, status)).toEqual({
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

	it('changes nothing when it comes again, nor does the payment then', async () => {
		const payment = await paid();
		await giveBack(payment);
		const removed = (await rowsOf(payment)).map(({ removedAt }) => removedAt);
		world.service.resetRecord();
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
		expect(await giveBack(payment, 'chargeback')).toEqual(NOTHING_LEFT);
		expect(await lastExecution()).toMatchObject({ status: 'success' });
		expect(await pay(payment)).toEqual({ status: 200, body: { result: 'already processed' } });
		expect(sent()).toEqual([]);
		expect((await rowsOf(payment)).map(({ removedAt }) => removedAt)).toEqual(removed);
	});

	it('that comes twice at the same time succeeds twice', async () => {
		const payment = await paid();
		const answers = await Promise.all([giveBack(payment), giveBack(payment)]);
		expect(answers).toMatchObject([{ status: 200 }, { status: 200 }]);
		expect(classesOf(payment)).toEqual([]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
	});

	it('of a payment whose link could not be sent removes the buyer, and no link follows', async () => {
		const payment = newPayment();
		const unsent = await during(failOnly('/magic-link'), () => pay(payment));
		expect(unsent).toMatchObject({ status: 503, body: { enrolled: true } });
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
	it('when the first is refunded: the buyer leaves only the classes that the other does not cover', async () => {
		const both = await paid();
		await paid({ buyer: both.buyer, products: [DATA] });
		expect(await giveBack(both)).toEqual({
			status: 200,
			body: { result: 'refunded', removedFrom: [PYTHON], keptIn: [DATA] },
		});
		expect(sent()).toEqual([removalOf(both, PYTHON)]);
		expect(classesOf(both)).toEqual([DATA]);
	});

	it('when both are refunded, the second first: the buyer leaves with the first, and the night has nothing to do', async () => {
		const first = await paid({ products: [PYTHON] });
		const second = await paid({ buyer: first.buyer, products: [PYTHON] });
		expect(await giveBack(second)).toMatchObject({ body: { removedFrom: [], keptIn: [PYTHON] } });
		expect(classesOf(first)).toEqual([PYTHON]);
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

test('a refund of an unknown payment is answered clearly, and the payment then enrolls nobody, but another one does', async () => {
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

	await paid({ buyer: payment.buyer });
	expect(classesOf(payment)).toEqual([PYTHON, DATA]);
});

describe('what is no complete refund', () => {
	it.each(['paid', 'Aprovado', 'waiting_payment', 'cancelado'])(
		'with the status "%s" is ignored',
		async (status) => {
			const payment = await paid();
			expect(await giveBack(payment, status)).toEqual({
				status: 200,
				body: { result: 'ignored', reason: `The status is "${status}", not "refunded".` },
			});
			expect(sent()).toEqual([]);
			expect(await rowsOf(payment)).toMatchObject([{ endedAt: null }, { endedAt: null }]);
			expect(await lastExecution()).toMatchObject({ status: 'success' });
		},
	);

	const unknown = (status: string): [string, object, string] => [
		`the unknown status "${status}"`,
		{ status },
		`Unknown status: "${status}". It is on no list in Words of the Shop.`,
	];

	it.each([
		unknown('refundet'),
		unknown('partially_refunded'),
		['no ID', { paymentId: undefined }, MISSING],
		['an empty ID', { paymentId: '' }, MISSING],
		['no status', { status: undefined }, MISSING],
	])('with %s gets 422 and the reason, and the execution fails', async (_, wrong, reason) => {
		const { paymentId } = await paid();
		const before = await shop.rowsOf({});
		expect(await shop.giveBack({ paymentId, status: 'refunded', ...wrong })).toEqual({
			status: 422,
			body: { result: 'failed', reason },
		});
		expect(sent()).toEqual([]);
		expect(await shop.rowsOf({})).toEqual(before);
		const { status, error } = await lastExecution();
		expect(status).toBe('error');
		expect(error?.message).toContain(reason);
	});
});

describe('nobody keeps access by mistake', () => {
	it.each([
		['fails', DOWN],
		['does not accept the token', { failWith: { status: 401 } }],
		['does not know the address', { failWith: { status: 404 } }],
		['cuts the connection', { drop: { when: 'before' as const } }],
	])('when the service %s: the shop gets 503, and its next try succeeds', async (_, temper) => {
		const payment = await paid();
		expect(await during(temper, () => giveBack(payment))).toEqual({
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
		const failOne = failOnly(`/classe/${DATA}/remove-student`);
		expect(await during(failOne, () => giveBack(payment))).toMatchObject({ status: 503 });
		expect(classesOf(payment)).toEqual([DATA]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: null }]);

		world.service.resetRecord();
		expect(await giveBack(payment)).toMatchObject({ status: 200, body: { removedFrom: [DATA] } });
		expect(sent()).toEqual([removalOf(payment, DATA)]);
	});

	it('when the shop does not try again: the night removes the buyer', async () => {
		const payment = await paid();
		expect(await during(DOWN, () => giveBack(payment))).toMatchObject({ status: 503 });

		await letNightRun();
		expect(sent()).toHaveLength(2);
		expect(classesOf(payment)).toEqual([]);
		await letNightRun();
		expect(sent()).toEqual([]);
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
	});

	const lostOnce = ({ path }: RequestRecord) => path === `/classe/${PYTHON}/remove-student`;

	it.each<[string, (payment: Payment) => void]>([
		[
			'the response to a removal is lost',
			() => {
				world.service.temper = { drop: { when: 'after', times: 1, only: lostOnce } };
			},
		],
		[
			'the buyer was removed by hand',
			({ buyer }) => world.service.classes.remove([PYTHON], buyer.email),
		],
	])('when %s: the other class ends too, and the execution fails once', async (_, happen) => {
		const payment = await paid();
		happen(payment);
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
		expect(classesOf(payment)).toEqual([]);
		const { status, error } = await lastExecution();
		expect(status).toBe('error');
		expect(error?.message).toContain(`${payment.buyer.email} from class ${PYTHON}: `);
		expect(error?.message).toContain('not found in class');
		expect(error?.message).not.toContain(DATA);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
		expect(await giveBack(payment)).toEqual(NOTHING_LEFT);
		expect(await lastExecution()).toMatchObject({ status: 'success' });
	});

	it('when n8n itself fails: the shop gets 500', async () => {
		const payment = await paid();
		const dataTableId = { __rl: true, mode: 'name', value: 'no_such_table' };
		await publishCopy(world.session, workflow, {
			'Refund Received': { path: 'broken' },
			'Record Refund': { dataTableId },
		});
		const answer = await giveBack(payment, 'refunded', { path: 'broken' });
		expect(answer).toMatchObject({ status: 500 });
		expect(sent()).toEqual([]);
	});
});

describe.each(RETRIES)('the button "%s"', (_, loadWorkflow) => {
	/** Reports a refund that fails, and forgets the requests for it. */
	async function fail(payment: Payment, temper = DOWN): Promise<Execution> {
		expect(await during(temper, () => giveBack(payment))).toMatchObject({ status: 503 });
		world.service.resetRecord();
		return await lastExecution();
	}

	const press = async (failed: Execution) => await retry(world.session, failed, loadWorkflow);

	it('repeats only the removal that failed', async () => {
		const payment = await paid();
		const failed = await fail(payment, failOnly(`/classe/${DATA}/remove-student`));
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([removalOf(payment, DATA)]);
		expect(await rowsOf(payment)).toMatchObject([{ removedAt: time }, { removedAt: time }]);
	});

	it('fails again while the service is down, and can be pressed again', async () => {
		const payment = await paid();
		const failed = await fail(payment);
		const again = await during(DOWN, () => press(failed));
		expect(again).toMatchObject({ status: 'error' });
		expect(again.error?.message).toContain(`${payment.buyer.email} from class ${PYTHON}: `);
		world.service.resetRecord();
		expect(await press(again)).toMatchObject({ status: 'success' });
		expect(sent()).toHaveLength(2);
		expect(classesOf(payment)).toEqual([]);
	});

	it('does nothing after the shop has sent the refund again', async () => {
		const payment = await paid();
		const failed = await fail(payment);
		await giveBack(payment);
		world.service.resetRecord();
		expect(await press(failed)).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([]);
	});

	it('keeps the buyer in a class that was paid for again meanwhile', async () => {
		const payment = await paid();
		const failed = await fail(payment);
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
