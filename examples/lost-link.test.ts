import { submitForm } from '../test/n8n/requests';
import { publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { importExample, readExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import type { Temper } from '../test/service/service';

const STUDENT = 'student-1@example.com';
const STRANGER = 'stranger@example.com';

const world = useWorld(startWorld);
let workflow: SavedWorkflow;
let path: string;

beforeAll(async () => {
	const example = readExample('lost-link');
	const form = example.nodes.find(({ name }) => name === 'Your Email Address')!;
	path = String(form.webhookId);
	workflow = await importExample(world, example);
	await publishWorkflow(world.session, workflow);
});

/** Submits the form. */
const ask = async (email: string) => await submitForm(world.session, workflow, path, email);

const rejecting: Array<[number, Temper]> = [400, 404, 409, 422].map((refusalStatus) => [
	refusalStatus,
	{ rejectEmails: [STRANGER], refusalStatus },
]);

it.each(rejecting)(
	'shows the same page for a student and for a stranger, rejected with status %d',
	async (_, temper) => {
		world.service.temper = temper;
		const student = await ask(STUDENT);
		expect(world.service.magicLinks).toEqual([{ email: STUDENT }]);
		const stranger = await ask(STRANGER);
		expect(world.service.magicLinks).toHaveLength(1);

		expect(student.page).toContain('Check your mailbox');
		expect(stranger.page).toBe(student.page);
		expect([student.execution.status, stranger.execution.status]).toEqual(['success', 'success']);
	},
);

it('shows the same page for what is no address', async () => {
	const { page, execution } = await ask('student');
	expect(page).toContain('Check your mailbox');
	expect(execution.status).toBe('success');
	expect(world.service.requests).toEqual([]);
});

it('shows it at once to a student who asks again within a minute', async () => {
	world.service.temper = {
		rejectEmails: [STRANGER],
		failWith: {
			status: 429,
			headers: { 'Retry-After': '60' },
			only: ({ body }) => JSON.stringify(body).includes(STUDENT),
		},
	};
	const startedAt = Date.now();
	const student = await ask(STUDENT);
	expect(Date.now() - startedAt).toBeLessThan(20_000);
	const stranger = await ask(STRANGER);
	expect(student.page).toContain('Check your mailbox');
	expect(student.page).toBe(stranger.page);
	expect([student.execution.status, stranger.execution.status]).toEqual(['success', 'success']);
});

it.each([401, 403, 500])(
	'fails with status %d, and says no address on the page',
	async (status) => {
		world.service.temper = { failWith: { status } };
		const { page, execution } = await ask(STUDENT);
		expect(execution.status).toBe('error');
		expect(execution.error?.message).toContain(STUDENT);
		expect(execution.error?.message).toContain(`(status ${status})`);
		expect(page).not.toContain('Check your mailbox');
		expect(page).not.toContain(STUDENT);
	},
);
