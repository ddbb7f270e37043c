import range from 'lodash/range';
import { DateTime } from 'luxon';

import {
	findDataTable,
	insertRows,
	readRows,
	type DataTable,
	type Row,
} from '../test/n8n/dataTables';
import { jsonOf, runWorkflow } from '../test/n8n/executions';
import type { SavedWorkflow } from '../test/n8n/workflows';
import { importExample, runSchedule } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';

const CLASS = 'class-python';
/** n8n's default. */
const ZONE = 'America/New_York';
const TODAY = DateTime.now().setZone(ZONE);
const YESTERDAY = TODAY.minus({ days: 1 }).toISODate()!;
const NEXT_YEAR = TODAY.plus({ years: 1 }).toISODate()!;

const world = useWorld(startWorld);
let workflow: SavedWorkflow;
let table: DataTable;

beforeAll(async () => {
	world.service.classes.addClass({ id: CLASS, name: 'Python' });
	const classId = { __rl: true, mode: 'list', value: CLASS };
	workflow = await importExample(world, 'end-of-access', {
		parameters: { 'Remove From Class': { classId } },
	});
});

/** Runs it by hand, as the note says. */
const runByHand = async () => await runWorkflow(world.session, workflow, 'Every Night');
const night = async () => await runSchedule(world.session, workflow, 'Every Night');
const inClass = () => world.service.classes.studentsOf(CLASS).map(({ email }) => email);

/** Adds students to the class, and rows with the end of their access to the table. */
async function enter(expiresAt: string | null, ...emails: string[]): Promise<void> {
	world.service.classes.enroll(
		[CLASS],
		emails.map((email) => ({ email })),
	);
	await insertRows(
		world.session,
		table,
		emails.map((email) => ({ email, expiresAt })),
	);
}

/** The rows, by address. */
async function rowOf(email: string): Promise<Row | undefined> {
	return (await readRows(world.session, table)).find((row) => row.email === email);
}

async function clear(): Promise<void> {
	const { projectId } = world.session;
	const filter = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };
	const query = new URLSearchParams({ filter: JSON.stringify(filter) });
	const path = `/rest/projects/${projectId}/data-tables/${table.id}/rows?${query.toString()}`;
	await fetch(world.session.url + path, {
		method: 'DELETE',
		headers: { cookie: world.session.cookie },
	});
	for (const email of inClass()) world.service.classes.remove([CLASS], email);
}

it('creates its table by hand, and tells that nobody is in it', async () => {
	const { status } = await runByHand();
	expect(status).toBe('success');
	table = await findDataTable(world.session, 'end_of_access');
	expect(await readRows(world.session, table)).toEqual([]);
});

describe('a night', () => {
	beforeEach(clear);

	it('removes who is due, once', async () => {
		await enter(YESTERDAY, 'ended@example.com');
		await enter(TODAY.toISODate(), 'last-day@example.com');
		await enter(TODAY.minus({ minutes: 5 }).toUTC().toISO(), 'five-minutes-ago@example.com');
		await enter(NEXT_YEAR, 'goes-on@example.com');
		await enter(null, 'for-ever@example.com');

		const byHand = await runByHand();
		expect(byHand.status).toBe('success');
		expect(
			jsonOf(byHand, 'Whose Day Has Come').map(({ result, email }) => [result, email]),
		).toEqual([
			[
				'By hand, nobody is removed. The night would remove 2 of the 5 students who are still in. Without expiresAt, so that access never ends: 1.',
				undefined,
			],
			['would be removed', 'ended@example.com'],
			['would be removed', 'five-minutes-ago@example.com'],
		]);
		expect(world.service.requests).toEqual([]);

		expect((await night()).status).toBe('success');
		const left = ['last-day@example.com', 'goes-on@example.com', 'for-ever@example.com'];
		expect(inClass()).toEqual(left);
		expect(await rowOf('ended@example.com')).toMatchObject({ removedAt: TODAY.toISODate() });
		expect(await rowOf('last-day@example.com')).toMatchObject({ removedAt: null });

		world.service.resetRecord();
		expect((await night()).status).toBe('success');
		expect(world.service.requests).toEqual([]);
	});

	it('names who is still in the class after an outage, and removes them in the next night', async () => {
		await enter(YESTERDAY, 'first@example.com', 'second@example.com');
		world.service.temper = { failWith: { status: 503, headers: { 'Retry-After': '600' } } };
		const failed = await night();
		expect(failed.status).toBe('error');
		expect(failed.error?.message).toMatch(
			/^2 of the students whose day has come may still be in the class \(0 removed\)\. first@example\.com, second@example\.com: not removed: /,
		);
		expect(failed.error?.message).not.toContain('[line');
		expect(await rowOf('first@example.com')).toMatchObject({ removedAt: null });

		world.service.temper = {};
		expect((await night()).status).toBe('success');
		expect(inClass()).toEqual([]);
		expect(await rowOf('first@example.com')).toMatchObject({ removedAt: TODAY.toISODate() });
	});

	it('notes who is not in the class, where others were removed, and names them once', async () => {
		await enter(YESTERDAY, 'removed@example.com', 'left@example.com');
		world.service.classes.remove([CLASS], 'left@example.com');
		const { status, error } = await night();
		expect(status).toBe('error');
		expect(error?.message).toMatch(
			/^Removed: 1\. Rejected, but noted as removed: 1, .*left@example\.com: /,
		);
		expect(await rowOf('left@example.com')).toMatchObject({ removedAt: TODAY.toISODate() });
		expect((await night()).status).toBe('success');
	});

	it('removes nobody when suspiciously many are due, unless it is allowed', async () => {
		await enter(NEXT_YEAR, ...range(40).map((n) => `stays-${n}@example.com`));
		await enter(YESTERDAY, ...range(25).map((n) => `ends-${n}@example.com`));
		const { error } = await night();
		expect(error?.message).toMatch(/^25 of 65 students would be removed at once, so nobody is\./);
		expect(inClass()).toHaveLength(65);
		expect(world.service.requests).toEqual([]);

		await insertRows(world.session, table, [{ email: 'allow' }]);
		expect((await night()).status).toBe('success');
		expect(inClass()).toHaveLength(40);
		// It counts once.
		expect(await rowOf('allow')).toMatchObject({ removedAt: TODAY.toISODate() });
	});
});
