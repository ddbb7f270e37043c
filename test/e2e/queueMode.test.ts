import { readRows, type DataTable } from '../n8n/dataTables';
import { listExecutions } from '../n8n/executions';
import { eventually } from '../n8n/waiting';
import { createTables } from './examples';
import { countFinished, startCluster } from './queue/cluster';
import { openShop, PYTHON, type Shop } from './shop';
import { useWorld } from './world';

/** How many executions a worker runs at the same time by default. */
const CONCURRENCY = 10;

const cluster = useWorld(startCluster);
let shop: Shop;
let table: DataTable;

beforeAll(async () => {
	cluster.service.classes.addClass({ id: PYTHON, name: 'Python' });
	({ table } = await createTables(cluster, [{ product: 'python', classId: PYTHON }]));
	shop = await openShop(cluster, 'other');
});

function newPayments(round: string, count: number) {
	return Array.from({ length: count }, (_, index) => ({
		paymentId: `${round}-${index}`,
		status: 'paid',
		buyer: { email: `${round}-${index}@example.com` },
		products: ['python'],
	}));
}

type Payments = ReturnType<typeof newPayments>;

const emailsOf = (payments: Payments) => payments.map(({ buyer }) => buyer.email).sort();

async function payAll(payments: Payments) {
	return await Promise.all(payments.map(async (payment) => await shop.post({ body: payment })));
}

/** The emails in the requests to a path, one for each request. */
function emailsSentTo(path: string): string[] {
	const sent = cluster.service.requests.filter((request) => request.path === path);
	return sent.map(({ body }) => (body as { email: string }).email).sort();
}

async function expectAllDone(payments: Payments): Promise<void> {
	const emails = emailsOf(payments);
	const rows = await readRows(cluster.session, table);
	const done = rows.filter(({ linkSentAt }) => linkSentAt).map(({ email }) => email as string);
	expect(done).toEqual(expect.arrayContaining(emails));
	expect(rows).toHaveLength(new Set(done).size);
	const enrolled = cluster.service.classes.studentsOf(PYTHON).map(({ email }) => email);
	expect(enrolled).toEqual(expect.arrayContaining(emails));
}

describe('n8n in queue mode with two workers', () => {
	it('handles each of 200 simultaneous payments exactly once, on both workers', async () => {
		const payments = newPayments('burst', 200);
		const answers = await payAll(payments);

		expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
		expect(emailsSentTo(`/classe/${PYTHON}/add-student`)).toEqual(emailsOf(payments));
		expect(emailsSentTo('/magic-link')).toEqual(emailsOf(payments));
		await expectAllDone(payments);
		for (const finished of await Promise.all(cluster.workers.map(countFinished))) {
			expect(finished).toBeGreaterThan(payments.length / 5);
		}
	});

	it('loses nothing when a worker is killed: the shop gets an error, and its next try succeeds', async () => {
		const payments = newPayments('kill', 100);
		// So that the worker is busy when it is killed.
		cluster.service.temper = { latencyMs: 300 };
		const calls = payAll(payments);
		const { requests } = cluster.service;
		await eventually(() => expect(requests.length).toBeGreaterThan(40));
		process.kill(cluster.workers[0]!.pid, 'SIGKILL');
		const answers = await calls;

		const failed = payments.filter((_, index) => answers[index]?.status !== 200);
		expect(failed.length).toBeGreaterThan(0);
		expect(failed.length).toBeLessThanOrEqual(CONCURRENCY);
		expect(answers.filter(({ status }) => ![200, 500].includes(status))).toEqual([]);
		await eventually(async () => {
			const executions = await listExecutions(cluster.session, shop.workflow.id);
			const lost = executions.filter(({ status }) => status === 'error').length;
			// n8n may save an execution some time after its response.
			expect(lost).toBeGreaterThanOrEqual(failed.length);
			expect(lost).toBeLessThanOrEqual(CONCURRENCY);
		});

		// n8n does not run the dead worker's executions again, so no link was sent twice.
		expect(new Set(emailsSentTo('/magic-link')).size).toBe(emailsSentTo('/magic-link').length);
		cluster.service.temper = {};
		const retried = await payAll(failed);
		expect(retried.filter(({ status }) => status !== 200)).toEqual([]);
		await expectAllDone(payments);
		expect(new Set(emailsSentTo('/magic-link')).size).toBe(payments.length);
	});
});
