import { jsonOf, runWorkflow, type Execution } from '../n8n/executions';
import { patch } from '../n8n/session';
import { createCredential, itemsNodes, node } from '../n8n/workflows';
import { startService, type RequestRecord, type Service } from '../service/service';
import { byId, EMAIL_OF_ITEM, ONE_BY_ONE, PYTHON, rows } from '../workflow/operations';
import { RETRIES, retry } from './retry';
import { NODE, runChain, saveChain, START, student } from './workflows';
import { CREDENTIAL_TYPE, startWorld, useWorld } from './world';

const EMAILS = rows(6).map(({ email }) => email);
const ITEMS = itemsNodes(rows(6));
const IN_PYTHON = { classId: byId(PYTHON.id) };
const SEND_LINKS = { ...EMAIL_OF_ITEM, ...ONE_BY_ONE };

const world = useWorld(startWorld);

beforeAll(() => void world.service.classes.addClass(PYTHON));

/** Lets the service refuse what concerns one student, so many times. */
function refuse(n: number, times = 1): void {
	const only = ({ body }: RequestRecord) => JSON.stringify(body).includes(`"${EMAILS[n]}"`);
	world.service.temper = { failWith: { status: 400, times, only } };
}

/** The students of the requests that succeeded. */
const done = () =>
	world.service.requests
		.filter(({ status }) => status === 200)
		.flatMap(({ body }) => {
			const { email, students } = body as { email: string; students?: Array<{ email: string }> };
			return students ? students.map((student) => student.email) : [email];
		});

function expectAllDone(retried: Execution): void {
	expect(retried.error).toBeUndefined();
	expect(retried.status).toBe('success');
	expect(done()).toEqual(EMAILS);
}

describe.each(RETRIES)('the button "%s"', (_, loadWorkflow) => {
	const press = async (failed: Execution) => await retry(world.session, failed, loadWorkflow);

	it.each([
		['sendMagicLink', SEND_LINKS],
		['addManyToClass', { ...IN_PYTHON, ...ONE_BY_ONE, options: { batchSize: 2 } }],
	])('does the rest only: %s', async (operation, parameters) => {
		refuse(3);
		const failed = await runChain(world, [...ITEMS, student(operation, parameters)]);
		const retried = await press(failed);
		expectAllDone(retried);
		expect(jsonOf(retried, NODE).map(({ email }) => email)).toEqual(EMAILS);
	});

	it('does the rest only after Retry On Fail, and several times in a row', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		refuse(1, 2);
		const links = student('sendMagicLink', SEND_LINKS, settings);
		const failed = await runChain(world, [...ITEMS, links]);
		refuse(3, 2);
		const again = await press(failed);
		expect(again.status).toBe('error');
		expectAllDone(await press(again));
	});

	it('goes on in the round of a loop that failed', async () => {
		const loop = node('Loop', 'splitInBatches', 3, { batchSize: 2, options: {} });
		const steps = [...ITEMS, loop, student('sendMagicLink', SEND_LINKS)];
		const workflow = await saveChain(world, 'Loop', steps);
		const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
		const { id, versionId } = workflow;
		const round = { Loop: { main: [[], to(NODE)] }, [NODE]: { main: [to('Loop')] } };
		const connections = { ...workflow.connections, ...round };
		await patch(world.session, `/workflows/${id}`, { connections, versionId });
		refuse(3);
		expectAllDone(await press(await runWorkflow(world.session, workflow, START)));
	});
});

describe('a credential with expressions', () => {
	let other: Service;

	beforeAll(async () => {
		other = await startService({ accessToken: 'token-of-the-other-school' });
	});
	afterAll(async () => await other?.close());

	it.each(['addToClass', 'addManyToClass'])('%s: each to their own school', async (operation) => {
		const schools = [world.service, other];
		const id = `class of ${operation}`;
		for (const { classes } of schools) classes.addClass({ id, name: id });
		const credential = await createCredential(world.session, CREDENTIAL_TYPE, 'Schools', {
			baseUrl: '={{ $json.school }}',
			accessToken: '={{ $json.token }}',
		});
		const items = EMAILS.map((email, n) => {
			const { baseUrl, accessToken } = schools[n % 2]!;
			return { email, school: baseUrl, token: accessToken };
		});
		const enroll = student(operation, { classId: byId(id), ...EMAIL_OF_ITEM });
		const execution = await runChain({ ...world, credential }, [...itemsNodes(items), enroll]);
		expect(execution.error).toBeUndefined();
		schools.forEach(({ classes }, school) => {
			const enrolled = classes.studentsOf(id).map(({ email }) => email);
			expect(enrolled.sort()).toEqual(EMAILS.filter((_, n) => n % 2 === school));
		});
		expect(other.violations).toEqual([]);
	});
});
