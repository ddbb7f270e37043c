import { randomUUID } from 'node:crypto';

import { outputOf, runWorkflow, waitForExecution, type Execution } from '../n8n/executions';
import { get, patch, post } from '../n8n/session';
import {
	connectInOrder,
	importWorkflow,
	type SavedWorkflow,
	type WorkflowNode,
} from '../n8n/workflows';
import type { RequestRecord } from '../service/service';
import { CREDENTIAL_TYPE, NODE_TYPE, startWorld, type World } from './world';

const PYTHON = 'class-python';
const RUST = 'class-rust';
const START = 'Start';
const ENROLL = 'Class Enrollment';

let world: World;

beforeAll(async () => {
	world = await startWorld();
	for (const id of [PYTHON, RUST]) world.service.classes.addClass({ id, name: id });
});

afterAll(async () => await world?.stop());

beforeEach(() => {
	world.service.temper = {};
	world.service.resetRecord();
	world.service.classes.enroll([PYTHON, RUST], rows(6));
});

afterEach(() => expect(world.service.violations).toEqual([]));

const emailOf = (n: number) => `student-${n}@example.com`;
const rows = (count: number) => Array.from({ length: count }, (_, n) => ({ email: emailOf(n) }));
const inClass = { classId: { __rl: true, mode: 'id', value: PYTHON } };
const ONE_BY_ONE = { requestOptions: { maxConcurrentRequests: 1 } };
const BY_ITEM = { email: '={{ $json.email }}', ...ONE_BY_ONE };

const node = (name: string, type: string, typeVersion: number, parameters: object = {}) =>
	({
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	}) as WorkflowNode;

const enrollNode = (parameters: object, settings: object = {}): WorkflowNode => ({
	name: ENROLL,
	type: NODE_TYPE,
	typeVersion: 1,
	position: [0, 0],
	parameters: { resource: 'student', ...parameters },
	credentials: { [CREDENTIAL_TYPE]: world.credential },
	...settings,
});

async function saveWorkflow(nodes: WorkflowNode[]): Promise<SavedWorkflow> {
	const jsonOutput = JSON.stringify({ items: rows(6) });
	return await importWorkflow(world.session, {
		name: `Retry ${randomUUID()}`,
		...connectInOrder([
			node(START, 'manualTrigger', 1),
			node('List', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
			node('Items', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
			...nodes,
		]),
	});
}

const run = async (workflow: SavedWorkflow) => await runWorkflow(world.session, workflow, START);

/** Does what the two entries of "Retry" in the list of executions do. */
async function retry({ id }: Execution, loadWorkflow: boolean): Promise<Execution> {
	const execution = await post<{ id: string }>(world.session, `/executions/${id}/retry`, {
		loadWorkflow,
	});
	return await waitForExecution(world.session, execution.id);
}

async function changeParameters(workflow: SavedWorkflow, change: object): Promise<void> {
	const { nodes, versionId } = await get<SavedWorkflow>(world.session, `/workflows/${workflow.id}`);
	const changed = nodes.map((other) =>
		other.name === ENROLL ? { ...other, parameters: { ...other.parameters, ...change } } : other,
	);
	await patch(world.session, `/workflows/${workflow.id}`, { nodes: changed, versionId });
}

/** Lets the service refuse what concerns one student, so many times. */
function refuse(n: number, times = 1): void {
	const only = ({ body }: RequestRecord) => JSON.stringify(body ?? '').includes(`"${emailOf(n)}"`);
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

const ALL = rows(6).map(({ email }) => email);
const emailsIn = (execution: Execution) =>
	outputOf(execution, ENROLL).map(({ json }) => json.email);

const OPERATIONS: Array<[operation: string, parameters: object]> = [
	['addToClass', { ...inClass, ...BY_ITEM, accessExpiration: 'duration', durationAmount: 12 }],
	['addToClasses', { classIds: [PYTHON, RUST], ...BY_ITEM }],
	['addManyToClass', { ...inClass, ...ONE_BY_ONE, options: { batchSize: 2 } }],
	['removeFromClass', { ...inClass, ...BY_ITEM }],
	['removeFromClasses', { classIds: [PYTHON, RUST], ...BY_ITEM }],
	['sendMagicLink', BY_ITEM],
];

describe.each([
	['currently saved', true],
	['original', false],
])('Retry with the %s workflow', (_name, loadWorkflow) => {
	it.each(OPERATIONS)('%s does the rest only', async (operation, parameters) => {
		refuse(3);
		const workflow = await saveWorkflow([enrollNode({ operation, ...parameters })]);
		const failed = await run(workflow);
		expect(failed.status).toBe('error');
		const retried = await retry(failed, loadWorkflow);
		expect(retried.error).toBeUndefined();
		expect(retried.status).toBe('success');
		expect(emailsIn(retried)).toEqual(ALL);
		expect(done()).toEqual(ALL);
	});

	it('does the rest only after Retry On Fail, and several times in a row', async () => {
		const settings = { retryOnFail: true, maxTries: 2, waitBetweenTries: 100 };
		const parameters = { operation: 'sendMagicLink', ...BY_ITEM };
		const workflow = await saveWorkflow([enrollNode(parameters, settings)]);
		refuse(1, 2);
		let execution = await run(workflow);
		expect(execution.status).toBe('error');
		refuse(3, 2);
		execution = await retry(execution, loadWorkflow);
		expect(execution.status).toBe('error');
		execution = await retry(execution, loadWorkflow);
		expect(execution.status).toBe('success');
		expect(emailsIn(execution)).toEqual(ALL);
		expect(done()).toEqual(ALL);
	});

	it('goes on in the round of a loop that failed', async () => {
		const workflow = await saveWorkflow([
			node('Loop', 'splitInBatches', 3, { batchSize: 2, options: {} }),
			enrollNode({ operation: 'sendMagicLink', ...BY_ITEM }),
		]);
		const to = (name: string) => [{ node: name, type: 'main', index: 0 }];
		const connections = {
			...workflow.connections,
			Loop: { main: [[], to(ENROLL)] },
			[ENROLL]: { main: [to('Loop')] },
		};
		await patch(world.session, `/workflows/${workflow.id}`, {
			connections,
			versionId: workflow.versionId,
		});
		refuse(3);
		const failed = await run(workflow);
		expect(failed.status).toBe('error');
		const retried = await retry(failed, loadWorkflow);
		expect(retried.status).toBe('success');
		expect(done()).toEqual(ALL);
	});
});

describe('Retry after the node was changed', () => {
	it('sends again only what the change is about', async () => {
		const operation = { operation: 'addToClass', ...inClass, ...BY_ITEM };
		const workflow = await saveWorkflow([enrollNode(operation)]);
		refuse(3);
		const failed = await run(workflow);
		await changeParameters(workflow, { name: '={{ $itemIndex === 1 ? "Student" : "" }}' });
		const retried = await retry(failed, true);
		expect(retried.status).toBe('success');
		expect(done()).toEqual([0, 1, 2, 1, 3, 4, 5].map(emailOf));
	});
});

describe('n8n does not offer a retry', () => {
	it('where On Error is "Continue": the execution did not fail', async () => {
		refuse(3);
		const parameters = { operation: 'sendMagicLink', ...BY_ITEM };
		const settings = { onError: 'continueErrorOutput' };
		const execution = await run(await saveWorkflow([enrollNode(parameters, settings)]));
		expect(execution.status).toBe('success');
		await expect(retry(execution, false)).rejects.toThrow('succeeded');
	});
});
