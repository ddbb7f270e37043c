import { DateTime } from 'luxon';
import { randomUUID } from 'node:crypto';

import { createCredential, importWorkflow, publishWorkflow } from '../n8n/workflows';
import { importExample, readExample } from './examples';
import { connectMcp, type McpClient } from './mcpClient';
import { startModelStub, type ModelStub, type ToolCall } from './modelStub';
import { CREDENTIAL_TYPE, NODE_TYPE, startWorld, type World } from './world';

const MCP_TOKEN = 'token-of-the-mcp-server';
const PYTHON = 'class-python';
const AGENT = 'Enrollment Agent';
const CHAT = 'When Asked in the Chat';

let world: World;
let model: ModelStub;

beforeAll(async () => {
	world = await startWorld();
	model = await startModelStub();
	world.service.classes.addClass({ id: PYTHON, name: 'Python for Beginners' });
	world.service.classes.addClass({ id: 'class-data', name: 'Data Analysis' });
});

afterAll(async () => {
	await model?.close();
	await world?.stop();
});

beforeEach(() => {
	world.service.temper = {};
	world.service.resetRecord();
});

afterEach(() => expect(world.service.violations).toEqual([]));

/** Runs one tool call and gives what came back as text. */
type Use = (call: ToolCall) => Promise<string>;

function describeTools(start: () => Promise<Use>): void {
	let use: Use;
	beforeAll(async () => {
		use = await start();
	});

	it('finds classes', async () => {
		const answer = await use({ name: 'Find_Classes', arguments: { name: 'python' } });
		expect(answer).toContain(PYTHON);
		expect(answer).not.toContain('class-data');
	});

	it('enrolls a student as the model says', async () => {
		const student = { email: 'student-1@example.com', name: 'Student 1' };
		const before = DateTime.utc().plus({ months: 3 });
		const answer = await use({
			name: 'Add_Student',
			arguments: { classId: PYTHON, ...student, months: 3 },
		});
		const after = DateTime.utc().plus({ months: 3 });

		expect(world.service.requests).toHaveLength(1);
		const { path, body } = world.service.requests[0] as { path: string; body: object };
		expect(path).toBe(`/classe/${PYTHON}/add-student`);
		const { expirationDate } = body as { expirationDate: string };
		expect(body).toEqual({ ...student, expirationDate });
		expect(DateTime.fromISO(expirationDate) >= before).toBe(true);
		expect(DateTime.fromISO(expirationDate) <= after).toBe(true);
		expect(answer).toContain('"success":true');
	});

	it('enrolls many students in one request', async () => {
		const students = Array.from({ length: 30 }, (_, index) => ({
			email: `student-${index}@example.com`,
			name: `Student ${index}`,
		}));
		const answer = await use({
			name: 'Add_Several_Students',
			arguments: { classId: PYTHON, students },
		});
		expect(world.service.requests).toMatchObject([
			{ path: `/classe/${PYTHON}/add-students`, body: { students } },
		]);
		expect(answer).toContain('student-29@example.com');
	});

	it('sends a sign-in link', async () => {
		const email = 'student-1@example.com';
		await use({ name: 'Send_Sign-In_Link', arguments: { email } });
		expect(world.service.magicLinks).toEqual([{ email }]);
	});

	it('gives back as text what the service refuses', async () => {
		const answer = await use({
			name: 'Add_Student',
			arguments: { classId: 'class-unknown', email: 'student-1@example.com', name: '', months: 1 },
		});
		expect(answer).toContain('Class not found: class-unknown');
	});

	it.each([
		['Add_Student', { email: 'student-1', name: '', months: 1 }],
		['Add_Several_Students', { students: [{ email: 'student-1' }] }],
	])('gives back as text what the node refuses in %s', async (name, given) => {
		const answer = await use({ name, arguments: { classId: PYTHON, ...given } });
		expect(answer).toContain('is not an e-mail address');
		expect(world.service.requests).toEqual([]);
	});

	it('does not give away the token when the service cannot be used', async () => {
		world.service.temper = { failWith: { status: 500, text: world.service.accessToken } };
		const answer = await use({
			name: 'Add_Student',
			arguments: { classId: PYTHON, email: 'student-1@example.com', name: '', months: 1 },
		});
		expect(answer).toContain('status 500');
		expect(answer).not.toContain(world.service.accessToken);
	});
}

const chats = [
	['whose engine runs the tools', 3],
	['that runs the tools itself', 2.2],
] as const;

describe.each(chats)('an agent %s', (_, typeVersion) => {
	describeTools(async () => await startAgent(typeVersion));
});

describe('an MCP client', () => {
	let client: McpClient;
	describeTools(async () => {
		client = await startMcp();
		return async ({ name, arguments: given }) =>
			(await client.callTool(name, given)).content.map(({ text }) => text).join('\n');
	});

	it('sees the tools with what the model has to fill in', async () => {
		const tools = await client.listTools();
		const asked = tools.map(({ name, inputSchema }) => [name, Object.keys(inputSchema.properties)]);
		expect(Object.fromEntries(asked)).toEqual({
			Find_Classes: ['name'],
			Add_Student: ['classId', 'email', 'name', 'months'],
			Add_Several_Students: ['classId', 'students'],
			'Send_Sign-In_Link': ['email'],
		});
	});
});

/** Publishes the example with a version of the agent; the model that it talks to calls a tool. */
async function startAgent(typeVersion: number): Promise<Use> {
	const { session, n8n } = world;
	const { apiKey, baseUrl: url } = model;
	const example = readExample('agent');
	const webhookId = `chat-of-agent-${typeVersion}`;
	const nodes = example.nodes.map((node) => ({
		...node,
		...(node.name === AGENT && { typeVersion }),
		...(node.name === CHAT && { webhookId }),
	}));
	const credentials = {
		openAiApi: await createCredential(session, 'openAiApi', 'Model', { apiKey, url }),
	};
	const parameters = { [CHAT]: { public: true, mode: 'webhook' } };
	const workflow = await importExample(world, { ...example, nodes }, { credentials, parameters });
	await publishWorkflow(session, workflow);

	return async (call) => {
		model.callTools(call);
		const response = await fetch(`${n8n.url}/webhook/${webhookId}/chat`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify({
				action: 'sendMessage',
				sessionId: randomUUID(),
				chatInput: 'Please do it.',
			}),
		});
		expect(await response.json()).toEqual({ output: 'Done.' });
		return model.toolAnswers().join('\n');
	};
}

/** Connects the example's tools to an MCP server instead of the agent, and a client to that. */
async function startMcp(): Promise<McpClient> {
	const { session, n8n, credential } = world;
	const tools = readExample('agent').nodes.filter(({ type }) => type === `${NODE_TYPE}Tool`);
	const server = {
		name: 'Enrollment Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0] as [number, number],
		webhookId: 'enrollment-server',
		parameters: { authentication: 'bearerAuth', path: 'enrollment' },
		credentials: { httpBearerAuth: { id: null, name: '' } },
	};
	const connection = { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] };
	const workflow = {
		name: 'Enrollment server',
		nodes: [server, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, connection])),
	};
	const token = { token: MCP_TOKEN };
	const saved = await importWorkflow(session, workflow, {
		[CREDENTIAL_TYPE]: credential,
		httpBearerAuth: await createCredential(session, 'httpBearerAuth', 'MCP', token),
	});
	await publishWorkflow(session, saved);
	return await connectMcp(`${n8n.url}/mcp/enrollment`, MCP_TOKEN);
}
