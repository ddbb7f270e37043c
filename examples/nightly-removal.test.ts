import range from 'lodash/range';

import { insertRows, readRows, type DataTable, type Row } from '../test/n8n/dataTables';
import { jsonOf, runWorkflow } from '../test/n8n/executions';
import type { SavedWorkflow } from '../test/n8n/workflows';
import { received } from '../test/service/service';
import { createTables, importExample, runNight } from '../test/e2e/examples';
import { RETRIES, retry } from '../test/e2e/retry';
import { DATA, PYTHON, removal } from '../test/e2e/shop';
import { startWorld, useWorld } from '../test/e2e/world';

const REFUSED = 'student-3@example.com';
/** Whose access has ended, in the table below. */
const ENDED: Array<[number: number, classId: string]> = [
	[1, PYTHON],
	[2, DATA],
	[3, PYTHON],
	[4, PYTHON],
	[9, DATA],
	[10, DATA],
];
const DAY_MS = 24 * 60 * 60 * 1000;

const world = useWorld(startWorld);
let workflow: SavedWorkflow;
let table: DataTable;

beforeAll(async () => {
	({ table } = await createTables(world));
	workflow = await importExample(world, 'nightly-removal');
	for (const id of [PYTHON, DATA]) {
		world.service.classes.addClass({ id, name: id });
		world.service.classes.enroll([id], studentsFrom(1, 11));
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
		{ ...access(7, DATA, inDays(200)), email: emailOf(7).toUpperCase() },
		// Renewed without an end.
		access(8, DATA, inDays(-1)),
		access(8, DATA, null),
		// Renewed once, and both have expired.
		access(9, DATA, inDays(-300)),
		{ ...access(9, DATA, inDays(-1)), email: emailOf(9).toUpperCase() },
		// Refunded, but not removed.
		{ ...access(10, DATA, inDays(100)), endedAt: inDays(-1) },
		// Refunded, but covered by another payment.
		{ ...access(11, DATA, inDays(100)), endedAt: inDays(-1) },
		access(11, DATA, inDays(50)),
		// Refunded before the payment.
		{ paymentId: 'payment-1', endedAt: inDays(-1) },
	]);
}

const emailOf = (number: number) => `student-${number}@example.com`;
const studentsFrom = (first: number, last: number) =>
	range(first, last + 1).map((number) => ({ email: emailOf(number) }));
const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();
const access = (number: number, classId: string, expiresAt: string | null): Row => ({
	email: emailOf(number),
	classId,
	expiresAt,
});
const night = async () => await runNight(world.session, workflow);
const sent = () => received(world.service);
const removalOf = (number: number, classId: string) => removal(emailOf(number), classId);
const enrolledIn = (classId: string) =>
	world.service.classes.studentsOf(classId).map(({ email }) => email);

/** Who is marked as removed, by this run or an earlier one. */
async function marked(): Promise<string[]> {
	const rows = await readRows(world.session, table);
	return rows.filter((row) => row.removedAt).map(({ email, classId }) => `${email} ${classId}`);
}

it('empties a table in which all access has ended', async () => {
	world.service.classes.enroll([PYTHON], [{ email: emailOf(0) }]);
	await insertRows(world.session, table, [access(0, PYTHON, inDays(-1))]);
	expect(await night()).toMatchObject({ status: 'success' });
	expect(sent()).toEqual([removalOf(0, PYTHON)]);
	expect(await marked()).toEqual([`${emailOf(0)} ${PYTHON}`]);
	expect(await readRows(world.session, table)).toMatchObject([
		{ endedAt: expect.any(String) as string },
	]);
});

describe('the nightly removal', () => {
	beforeAll(fillTable);

	it('with Execute workflow only lists who would be removed, and changes nothing', async () => {
		const before = await readRows(world.session, table);
		const look = await runWorkflow(world.session, workflow, 'Every Night');
		expect(look.status).toBe('success');
		expect(sent()).toEqual([]);
		expect(await readRows(world.session, table)).toEqual(before);
		const listed = jsonOf(look, 'Would Be Removed');
		expect(listed.map(({ email, classId }) => [email, classId])).toEqual(
			ENDED.map(([number, classId]) => [emailOf(number), classId]),
		);
		expect(listed[0]).toMatchObject({ note: 'Nobody was removed: this was only a look.' });
	});

	it('removes exactly the students whose access has ended, and reports the one that fails', async () => {
		world.service.temper = { rejectEmails: [REFUSED] };
		const execution = await night();

		expect(sent()).toHaveLength(6);
		expect(sent()).toEqual(expect.arrayContaining(ENDED.map(([n, id]) => removalOf(n, id))));
		expect(enrolledIn(PYTHON)).toEqual([2, 3, ...range(5, 12)].map(emailOf));
		expect(enrolledIn(DATA)).toEqual([1, ...range(3, 9), 11].map(emailOf));
		expect(await marked()).toEqual([
			`student-0@example.com ${PYTHON}`,
			`student-1@example.com ${PYTHON}`,
			`student-2@example.com ${DATA}`,
			`student-4@example.com ${PYTHON}`,
			`student-6@example.com ${DATA}`,
			`student-9@example.com ${DATA}`,
			`STUDENT-9@EXAMPLE.COM ${DATA}`,
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
		expect(await night()).toMatchObject({ status: 'success' });
		expect(sent()).toEqual([removalOf(3, PYTHON)]);
		expect(await marked()).toContain(`${REFUSED} ${PYTHON}`);
	});

	it('removes nobody when nobody is left', async () => {
		expect(await night()).toMatchObject({ status: 'success', mode: 'trigger' });
		expect(sent()).toEqual([]);
		expect(await marked()).toHaveLength(9);
	});
});

it.each(RETRIES)('"%s" removes nobody who has paid meanwhile', async (_, loadWorkflow) => {
	const failing = loadWorkflow ? 20 : 30;
	const paying = failing + 1;
	world.service.classes.enroll([PYTHON], studentsFrom(failing, paying));
	const rows = [failing, paying].map((number) => access(number, PYTHON, inDays(-1)));
	await insertRows(world.session, table, rows);
	world.service.temper = { failWith: { status: 500 } };
	const failed = await night();
	expect(failed.error?.message).toContain('2 could not be removed:');

	world.service.temper = {};
	world.service.resetRecord();
	await insertRows(world.session, table, [access(paying, PYTHON, inDays(365))]);
	const press = async () => await retry(world.session, failed, loadWorkflow);
	expect(await press()).toMatchObject({ status: 'success' });
	expect(sent()).toEqual([removalOf(failing, PYTHON)]);
	expect(await marked()).toContain(`${emailOf(failing)} ${PYTHON}`);
	expect(await marked()).not.toContain(`${emailOf(paying)} ${PYTHON}`);
	expect(await press()).toMatchObject({ status: 'success' });
	expect(sent()).toHaveLength(1);
});

it('does not take a student for another whose address contains theirs', async () => {
	const emails = [emailOf(40), `mari${emailOf(40)}`];
	const students = emails.map((email) => ({ email }));
	world.service.classes.enroll([PYTHON], students);
	const rows = emails.flatMap((email) => [
		{ email, classId: PYTHON, expiresAt: inDays(-1) },
		{ email, classId: PYTHON, expiresAt: inDays(9), endedAt: inDays(-1) },
	]);
	await insertRows(world.session, table, rows);
	world.service.temper = { rejectEmails: [emails[1]!] };
	await night();
	expect(await marked()).toContain(`${emails[0]} ${PYTHON}`);
	expect(await marked()).not.toContain(`${emails[1]} ${PYTHON}`);
});
