import { listExecutions, waitForExecution, type Execution } from '../test/n8n/executions';
import { publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { eventually } from '../test/n8n/waiting';
import { importExample, readExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import type { Temper } from '../test/service/service';

const STUDENT = 'student-1@example.com';
const STRANGER = 'stranger@example.com';

const world = useWorld(startWorld);
let workflow: SavedWorkflow;
let url: string;

beforeAll(async () => {
	const example = readExample('lost-link');
	const form = example.nodes.find(({ name }) => name === 'Your Email Address')!;
	url = `${world.n8n.url}/form/${String(form.webhookId)}`;
	workflow = await importExample(world, example);
	await publishWorkflow(world.session, workflow);
});

/** Submits the form, and returns the page that a person then sees, and the execution. */
async function ask(email: string): Promise<{ page: string; execution: Execution }> {
	const before = (await listExecutions(world.session, workflow.id)).length;
	const body = new FormData();
	body.set('field-0', email);
	const submitted = await fetch(url, { method: 'POST', body });
	const { formWaitingUrl } = (await submitted.json()) as { formWaitingUrl: string };
	const id = await eventually(async () => {
		const list = await listExecutions(world.session, workflow.id);
		expect(list.length).toBeGreaterThan(before);
		expect(['waiting', 'error']).toContain(list[0]!.status);
		return list[0]!.id;
	});
	const page = await (await fetch(formWaitingUrl)).text();
	// The page ends the execution in the background.
	await fetch(formWaitingUrl, { method: 'POST' });
	return { page, execution: await waitForExecution(world.session, id) };
}

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
