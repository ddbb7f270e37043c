import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import map from 'lodash/map';
import range from 'lodash/range';
import { DateTime } from 'luxon';
import { randomUUID } from 'node:crypto';

import { callWebhook } from '../test/n8n/requests';
import { createCredential, publishWorkflow } from '../test/n8n/workflows';
import { importExample, readExample } from '../test/e2e/examples';
import { useModel, type ToolCall } from '../test/e2e/modelStub';
import { NODE_TYPE, startWorld, useWorld } from '../test/e2e/world';
import type { Student } from '../test/service/service';

const MCP_TOKEN = 'mcp-server-token';
const PYTHON = 'class-python';
const AGENT = 'Enrollment Agent';
const CHAT = 'When Asked in the Chat';

const world = useWorld(startWorld);
const model = useModel(world);

beforeAll(() => {
	world.service.classes.addClass({ id: PYTHON, name: 'Python for Beginners' });
	world.service.classes.addClass({ id: 'class-data', name: 'Data Analysis' });
	for (const number of range(60)) {
		world.service.classes.addClass({ id: `class-more-${number}`, name: `More ${number}` });
	}
});

/** Makes one tool call and returns its result as text. */
type CallTool = (call: ToolCall) => Promise<string>;

function describeTools(start: () => Promise<CallTool>): void {
	let callTool: CallTool;
	beforeAll(async () => {
		callTool = await start();
	});

	it('finds classes', async () => {
		const result = await callTool({ name: 'Find_Classes', arguments: { name: 'python' } });
		expect(result).toContain(PYTHON);
		expect(result).not.toContain('class-data');
	});

	it('finds all classes without a name', async () => {
		const result = await callTool({ name: 'Find_Classes', arguments: { name: '' } });
		expect(result.match(/class-more-\d+/g)).toHaveLength(60);
	});

	it('enrolls a student with the arguments of the model', async () => {
		const student = { email: 'student-1@example.com', name: 'Student 1' };
		const before = DateTime.utc().plus({ months: 3 });
		const result = await callTool({
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
		expect(result).toContain('"success":true');
	});

	it('adds many students in one request', async () => {
		const students = Array.from({ length: 30 }, (_, index) => ({
			email: `student-${index}@example.com`,
			name: `Student ${index}`,
		}));
		const before = DateTime.utc().plus({ months: 3 });
		const result = await callTool({
			name: 'Add_Several_Students',
			arguments: { classId: PYTHON, students, months: 3 },
		});
		expect(world.service.requests).toMatchObject([
			{ path: `/classe/${PYTHON}/add-students`, body: { students } },
		]);
		const { body } = world.service.requests[0] as { body: { students: Student[] } };
		const [end] = body.students.map(({ expirationDate }) => DateTime.fromISO(expirationDate!));
		expect(end! >= before && end! <= before.plus({ hours: 1 })).toBe(true);
		expect(result).toContain('student-29@example.com');
	});

	it('sends a magic link', async () => {
		const email = 'student-1@example.com';
		await callTool({ name: 'Send_Magic_Link', arguments: { email } });
		expect(world.service.magicLinks).toEqual([{ email }]);
	});

	it('returns the rejection of the service as text', async () => {
		const result = await callTool({
			name: 'Add_Student',
			arguments: { classId: 'class-unknown', email: 'student-1@example.com', name: '', months: 1 },
		});
		expect(result).toContain('Class not found: class-unknown');
	});

	it.each([
		['Add_Student', { email: 'student-1', name: '', months: 1 }],
		['Add_Several_Students', { students: [{ email: 'student-1' }], months: 1 }],
	])('returns an invalid email as text in %s', async (name, given) => {
		const result = await callTool({ name, arguments: { classId: PYTHON, ...given } });
		expect(result).toMatch(/is not an .*address/);
		expect(world.service.requests).toEqual([]);
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
	const client = new Client({ name: 'end-to-end-test', version: '1.0.0' });
	describeTools(async () => {
		await client.connect(await startMcp());
		return async (call) => {
			const { content } = await client.callTool(call);
			return map(content as Array<{ text: string }>, 'text').join('\n');
		};
	});
	afterAll(async () => await client.close());

	it('lists the tools with the arguments that the model fills in', async () => {
		const { tools } = await client.listTools();
		const listed = tools.map((tool) => [tool.name, Object.keys(tool.inputSchema.properties!)]);
		expect(Object.fromEntries(listed)).toEqual({
			Find_Classes: ['name'],
			Add_Student: ['classId', 'email', 'name', 'months'],
			Add_Several_Students: ['classId', 'students', 'months'],
			Send_Magic_Link: ['email'],
		});
	});
});

/** Publishes the example with a version of the Agent node. */
async function startAgent(typeVersion: number): Promise<CallTool> {
	const { session } = world;
	const example = readExample('agent');
	const webhookId = `chat-of-agent-${typeVersion}`;
	const nodes = example.nodes.map((node) => ({
		...node,
		...(node.name === AGENT && { typeVersion }),
		...(node.name === CHAT && { webhookId }),
	}));
	const credentials = { openAiApi: model.credential };
	const parameters = { [CHAT]: { public: true, mode: 'webhook' } };
	const workflow = await importExample(world, { ...example, nodes }, { credentials, parameters });
	await publishWorkflow(session, workflow);

	return async (call) => {
		model.callTool(call);
		const message = { action: 'sendMessage', sessionId: randomUUID(), chatInput: 'Please do it.' };
		const response = await callWebhook(session, `${webhookId}/chat`, message);
		expect(await response.json()).toEqual({ output: 'Done.' });
		return model.toolResult() ?? '';
	};
}

/** Connects the tools of the example to an MCP server instead of the agent; returns what connects a client with it. */
async function startMcp(): Promise<StreamableHTTPClientTransport> {
	const { session, n8n } = world;
	const tools = readExample('agent').nodes.filter(({ type }) => type === `${NODE_TYPE}Tool`);
	const server = {
		name: 'Enrollment Server',
		type: '@n8n/n8n-nodes-langchain.mcpTrigger',
		typeVersion: 2,
		position: [0, 0] as [number, number],
		webhookId: 'enrollment-server',
		parameters: { authentication: 'bearerAuth', path: 'enrollment' },
		credentials: {
			httpBearerAuth: await createCredential(session, 'httpBearerAuth', 'MCP', {
				token: MCP_TOKEN,
			}),
		},
	};
	const connection = { ai_tool: [[{ node: server.name, type: 'ai_tool', index: 0 }]] };
	const workflow = {
		name: 'Enrollment server',
		nodes: [server, ...tools],
		connections: Object.fromEntries(tools.map(({ name }) => [name, connection])),
	};
	const saved = await importExample(world, workflow);
	await publishWorkflow(session, saved);
	const headers = { authorization: `Bearer ${MCP_TOKEN}` };
	const url = new URL(`${n8n.url}/mcp/enrollment`);
	return new StreamableHTTPClientTransport(url, { requestInit: { headers } });
}
