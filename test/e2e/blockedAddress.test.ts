import { outputOf, runWorkflow, type Execution } from '../n8n/executions';
import { connectInOrder, importWorkflow, type WorkflowNode } from '../n8n/workflows';
import { CREDENTIAL_TYPE, NODE_TYPE, startWorld, type World } from './world';

const START = 'Start';
const ENROLL = 'Class Enrollment';
const EMAILS = ['a', 'b', 'c'].map((name) => `${name}@example.com`);

let world: World;

// n8n's protection against forged requests blocks addresses of its own network, such as that of the stand-in.
beforeAll(async () => {
	world = await startWorld({ env: { N8N_SSRF_PROTECTION_ENABLED: 'true' } });
});

afterAll(async () => await world?.stop());

async function run(parameters: object, settings: object = {}): Promise<Execution> {
	const node = (name: string, type: string, typeVersion: number, own: object) =>
		({ name, type, typeVersion, position: [0, 0], parameters: own }) as WorkflowNode;
	const jsonOutput = JSON.stringify({ items: EMAILS.map((email) => ({ email })) });
	const workflow = await importWorkflow(world.session, {
		name: 'Blocked',
		...connectInOrder([
			node(START, 'n8n-nodes-base.manualTrigger', 1, {}),
			node('List', 'n8n-nodes-base.set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
			node('Items', 'n8n-nodes-base.splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
			{
				...node(ENROLL, NODE_TYPE, 1, parameters),
				credentials: { [CREDENTIAL_TYPE]: world.credential },
				...settings,
			},
		]),
	});
	return await runWorkflow(world.session, workflow, START);
}

const inClass = { classId: { __rl: true, mode: 'id', value: 'class-python' } };
const email = '={{ $json.email }}';

describe("where n8n's protection blocks the address of the service", () => {
	it.each([
		{ resource: 'class', operation: 'getAll' },
		{ resource: 'student', operation: 'addToClass', email, ...inClass },
		{ resource: 'student', operation: 'addManyToClass', ...inClass },
		{ resource: 'student', operation: 'sendMagicLink', email },
	])('$operation says that n8n blocked it, and that nothing was changed', async (parameters) => {
		const { status, error } = await run(parameters);
		expect(status).toBe('error');
		expect(error?.message).toContain('n8n blocked');
		expect(`${error?.message} ${error?.description}`).not.toContain('unknown whether');
		if (parameters.resource === 'student') {
			expect(`${error?.message} ${error?.description}`).toContain('Nothing was changed');
		}
		expect(world.service.requests).toEqual([]);
	});

	it('says so for every item under "continue"', async () => {
		const parameters = { resource: 'student', operation: 'sendMagicLink', email };
		const execution = await run(parameters, { onError: 'continueRegularOutput' });
		expect(outputOf(execution, ENROLL).map(({ json }) => json.error)).toEqual(
			EMAILS.map(() => expect.stringContaining('n8n blocked') as string),
		);
		expect(world.service.requests).toEqual([]);
	});
});
