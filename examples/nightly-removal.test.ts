import { insertRows, readRows, type DataTable, type Row } from '../test/n8n/dataTables';
import { outputOf, runWorkflow, type Execution } from '../test/n8n/executions';
import type { SavedWorkflow } from '../test/n8n/workflows';
import { importNight, runBySchedule, setUpPayments } from '../test/e2e/examples';
import { RETRIES, retry } from '../test/e2e/retry';
import { startWorld, type World } from '../test/e2e/world';

const PYTHON = 'class-python';
const DATA = 'class-data';
const REFUSED = 'student-3@example.com';
const DAY_MS = 24 * 60 * 60 * 1000;

let world: World;
let workflow: SavedWorkflow;
let table: DataTable;

beforeAll(async () => {
	world = await startWorld();
	({ table } = await setUpPayments(world));
	workflow = await importNight(world);
	for (const id of [PYTHON, DATA]) {
		world.service.classes.addClass({ id, name: id });
		const students = range(1, 11).map((number) => ({ email: emailOf(number) }));
		world.service.classes.enroll([id], students);
	}
});

/** One student for every way in which access can end or go on. */
async function fillTable(): Promise<void> {
	await insertRows(world.session, table, [
		access(1, PYTHON, inDays(-1)),
		access(1, DATA, inDays(30)),
		access(2, DATA, inDays(-400)),
		access(3, PYTHON, inDays(-2)),
		access(4, PYTHON, inDays(-3)),
		access(5, PYTHON, inDays(1)),
		access(6, PYTHON, null),
		{ ...access(6, DATA, inDays(-5)), removedAt: inDays(-4) },
		// Renewed twice: the first two have expired.
		access(7, DATA, inDays(-365)),
		access(7, DATA, inDays(-1)),
		access(7, DATA, inDays(200)),
		// Renewed without an end.
		access(8, DATA, inDays(-1)),
		access(8, DATA, null),
		// Renewed once, and both have expired.
		access(9, DATA, inDays(-300)),
		access(9, DATA, inDays(-1)),
		// Refunded, but not removed.
		{ ...access(10, DATA, inDays(100)), endedAt: inDays(-1) },
		// Refunded, but covered by another payment.
		{ ...access(11, DATA, inDays(100)), endedAt: inDays(-1) },
		access(11, DATA, inDays(50)),
		// Refunded before the payment.
		{ paymentId: 'payment-1', endedAt: inDays(-1) },
	]);
}

afterAll(async () => await world?.stop());

beforeEach(() => {
	world.service.temper = {};
	world.service.resetRecord();
});

afterEach(() => expect(world.service.violations).toEqual([]));

function emailOf(number: number): string {
	return `student-${number}@example.com`;
}

function range(first: number, last: number): number[] {
	return Array.from({ length: last - first + 1 }, (_, index) => first + index);
}

function inDays(days: number): string {
	return new Date(Date.now() + days * DAY_MS).toISOString();
}

function access(number: number, classId: string, expiresAt: string | null): Row {
	return { email: emailOf(number), classId, expiresAt };
}

async function runNight(): Promise<Execution> {
	return await runBySchedule(world.session, workflow);
}

function requests(): unknown[] {
	return world.service.requests.map(({ method, path, body }) => ({ method, path, body }));
}

function removalOf(number: number, classId: string): object {
	const body = { email: emailOf(number) };
	return { method: 'DELETE', path: `/classe/${classId}/remove-student`, body };
}

/** Who is marked as removed, by this run or an earlier one. */
async function marked(): Promise<string[]> {
	const rows = await readRows(world.session, table);
	return rows.filter((row) => row.removedAt).map(({ email, classId }) => `${email} ${classId}`);
}

function enrolledIn(classId: string): string[] {
	return world.service.classes.studentsOf(classId).map(({ email }) => email);
}

describe('a table in which all access has ended', () => {
	afterAll(fillTable);

	it('loses its only student', async () => {
		world.service.classes.enroll([PYTHON], [{ email: emailOf(0) }]);
		await insertRows(world.session, table, [access(0, PYTHON, inDays(-1))]);
		expect(await runNight()).toMatchObject({ status: 'success' });
		expect(requests()).toEqual([removalOf(0, PYTHON)]);
		expect(await marked()).toEqual([`${emailOf(0)} ${PYTHON}`]);
		expect(await readRows(world.session, table)).toMatchObject([
			{ endedAt: expect.any(String) as string },
		]);
	});
});

describe('Execute workflow', () => {
	it('removes nobody and changes nothing, but lists who would be removed', async () => {
		const before = await readRows(world.session, table);
		const look = await runWorkflow(world.session, workflow, 'Every Night');
		expect(look.status).toBe('success');
		expect(requests()).toEqual([]);
		expect(await readRows(world.session, table)).toEqual(before);
		const listed = outputOf(look, 'Would Be Removed').map(({ json }) => json);
		expect(listed.map(({ email, classId }) => `${String(email)} ${String(classId)}`)).toEqual([
			`student-1@example.com ${PYTHON}`,
			`student-2@example.com ${DATA}`,
			`student-3@example.com ${PYTHON}`,
			`student-4@example.com ${PYTHON}`,
			`student-9@example.com ${DATA}`,
			`student-10@example.com ${DATA}`,
		]);
		expect(listed[0]).toMatchObject({ note: 'Nobody was removed: this was only a look.' });
	});
});

describe('the nightly removal', () => {
	it('removes exactly the students whose access has ended, and reports the one that fails', async () => {
		world.service.temper = { rejectEmails: [REFUSED] };
		const execution = await runNight();

		expect(requests()).toHaveLength(6);
		expect(requests()).toEqual(
			expect.arrayContaining([
				removalOf(1, PYTHON),
				removalOf(2, DATA),
				removalOf(3, PYTHON),
				removalOf(4, PYTHON),
				removalOf(9, DATA),
				removalOf(10, DATA),
			]),
		);
		expect(enrolledIn(PYTHON)).toEqual([2, 3, ...range(5, 11)].map(emailOf));
		expect(enrolledIn(DATA)).toEqual([1, ...range(3, 8), 11].map(emailOf));
		expect(await marked()).toEqual([
			`student-0@example.com ${PYTHON}`,
			`student-1@example.com ${PYTHON}`,
			`student-2@example.com ${DATA}`,
			`student-4@example.com ${PYTHON}`,
			`student-6@example.com ${DATA}`,
			`student-9@example.com ${DATA}`,
			`student-9@example.com ${DATA}`,
			`student-10@example.com ${DATA}`,
		]);

		expect(execution.status).toBe('error');
		const [title, ...problems] = (execution.error?.message ?? '').split('\n');
		expect(title).toBe('1 could not be removed:');
		expect(problems).toHaveLength(1);
		expect(problems[0]).toContain(`${REFUSED} from class ${PYTHON}:`);
		expect(problems[0]).toContain(`Email not accepted: ${REFUSED}`);
	});

	it('tries only the failed one in the next night', async () => {
		expect(await runNight()).toMatchObject({ status: 'success' });
		expect(requests()).toEqual([removalOf(3, PYTHON)]);
		expect(await marked()).toContain(`${REFUSED} ${PYTHON}`);
	});

	it('removes nobody when nobody is left', async () => {
		expect(await runNight()).toMatchObject({ status: 'success', mode: 'trigger' });
		expect(requests()).toEqual([]);
		expect(await marked()).toHaveLength(9);
	});
});

describe.each(RETRIES)('the button "%s"', (_, loadWorkflow) => {
	const first = loadWorkflow ? 20 : 30;
	const [failing, paying] = [first, first + 1];

	/** Two students whose access has ended and whom the night could not remove. */
	async function fail(): Promise<Execution> {
		const students = [failing, paying].map((number) => ({ email: emailOf(number) }));
		world.service.classes.enroll([PYTHON], students);
		const rows = [failing, paying].map((number) => access(number, PYTHON, inDays(-1)));
		await insertRows(world.session, table, rows);
		world.service.temper = { failWith: { status: 500 } };
		const failed = await runNight();
		expect(failed.error?.message).toContain('2 could not be removed:');
		world.service.temper = {};
		world.service.resetRecord();
		return failed;
	}

	it('removes the students who are left, but nobody who has paid meanwhile', async () => {
		const failed = await fail();
		await insertRows(world.session, table, [access(paying, PYTHON, inDays(365))]);
		expect(await retry(world.session, failed, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(requests()).toEqual([removalOf(failing, PYTHON)]);
		expect(await marked()).toContain(`${emailOf(failing)} ${PYTHON}`);
		expect(await marked()).not.toContain(`${emailOf(paying)} ${PYTHON}`);

		world.service.resetRecord();
		expect(await retry(world.session, failed, loadWorkflow)).toMatchObject({ status: 'success' });
		expect(requests()).toEqual([]);
	});
});
