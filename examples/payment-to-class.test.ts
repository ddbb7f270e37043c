import { DateTime } from 'luxon';

import { waitForLastExecution } from '../test/n8n/executions';
import { callWebhook } from '../test/n8n/requests';
import { publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { importExample, readExample } from '../test/e2e/examples';
import { RETRIES, retry } from '../test/e2e/retry';
import { startWorld, useWorld } from '../test/e2e/world';

const PYTHON = 'class-python';
const PATH = 'payment';
const BUYER = { email: 'student-1@example.com', name: 'Student 1' };

const world = useWorld(startWorld);
let workflow: SavedWorkflow;

beforeAll(async () => {
	const { session, service } = world;
	service.classes.addClass({ id: PYTHON, name: 'Python for Beginners' });
	const example = readExample('payment-to-class');
	// As n8n's editor does on import.
	example.nodes.find(({ name }) => name === 'Payment Received')!.webhookId = PATH;
	workflow = await importExample(world, example, {
		parameters: {
			'Payment Received': { path: PATH },
			'Add to Class': { classId: { __rl: true, mode: 'list', value: PYTHON } },
		},
	});
	await publishWorkflow(session, workflow);
});

/** Notifies of a payment, and returns the status of the answer. */
async function pay(buyer: object, path = PATH): Promise<number> {
	return (await callWebhook(world.session, path, buyer)).status;
}

const lastExecution = async () => await waitForLastExecution(world.session, workflow.id);

it('adds the buyer for a year and emails a link', async () => {
	expect(await pay(BUYER)).toBe(200);
	const [student] = world.service.classes.studentsOf(PYTHON);
	expect(student).toMatchObject(BUYER);
	const ends = DateTime.fromISO(student!.expirationDate!);
	expect(Math.abs(ends.diff(DateTime.now().plus({ years: 1 }), 'minutes').minutes)).toBeLessThan(5);
	expect(world.service.magicLinks).toEqual([{ email: BUYER.email }]);
	expect((await lastExecution()).status).toBe('success');
});

it('sends nothing for a notification to another address', async () => {
	expect(await pay(BUYER, 'guessed')).toBe(404);
	expect(world.service.requests).toEqual([]);
});

it('fails, and tells the shop so, when the buyer has no email address', async () => {
	expect(await pay({ name: 'Nobody' })).toBe(500);
	expect(world.service.requests).toEqual([]);
	const { status, error } = await lastExecution();
	expect(status).toBe('error');
	expect(error?.message).toContain("'Email'");
});

it.each(RETRIES)('adds nobody twice after a failed link: %s', async (_, loadWorkflow) => {
	const only = ({ path }: { path: string }) => path === '/magic-link';
	world.service.temper = { failWith: { status: 500, only } };
	expect(await pay(BUYER)).toBe(500);
	const failed = await lastExecution();
	expect(failed).toMatchObject({ status: 'error', error: { node: { name: 'Send Magic Link' } } });

	world.service.temper = {};
	world.service.resetRecord();
	expect((await retry(world.session, failed, loadWorkflow)).status).toBe('success');
	expect(world.service.requests.map(({ path }) => path)).toEqual(['/magic-link']);
});
