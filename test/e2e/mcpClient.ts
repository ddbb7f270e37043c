/** A tool as an MCP server lists it. */
interface McpTool {
	name: string;
	inputSchema: { properties: object };
}

export type McpClient = Awaited<ReturnType<typeof connectMcp>>;

interface RpcResponse<Result> {
	id?: number;
	result?: Result;
	error?: { message: string };
}

const PROTOCOL = '2025-03-26';

/** Opens a session with an MCP server over HTTP. */
export async function connectMcp(url: string, token: string) {
	let sessionId: string | undefined;
	let lastId = 0;

	const send = async (message: object): Promise<Response> => {
		const response = await fetch(url, {
			method: 'POST',
			headers: {
				accept: 'application/json, text/event-stream',
				authorization: `Bearer ${token}`,
				'content-type': 'application/json',
				...(sessionId && { 'mcp-session-id': sessionId }),
			},
			body: JSON.stringify({ jsonrpc: '2.0', ...message }),
		});
		if (!response.ok) throw new Error(`${response.status}: ${await response.text()}`);
		return response;
	};

	const request = async <Result>(method: string, params: object): Promise<Result> => {
		const id = ++lastId;
		const response = await send({ id, method, params });
		sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
		const responses = parseResponses<Result>(await response.text());
		const { result, error } = responses.find((candidate) => candidate.id === id) ?? {};
		if (!result) throw new Error(error?.message ?? 'The server sent no response.');
		return result;
	};

	await request('initialize', {
		protocolVersion: PROTOCOL,
		capabilities: {},
		clientInfo: { name: 'end-to-end-test', version: '1.0.0' },
	});
	await send({ method: 'notifications/initialized' });
	return {
		listTools: async () => (await request<{ tools: McpTool[] }>('tools/list', {})).tools,
		/** Calls a tool, and returns its result as text. */
		async callTool(name: string, given: object): Promise<string> {
			const { content } = await request<{ content: Array<{ text: string }> }>('tools/call', {
				name,
				arguments: given,
			});
			return content.map(({ text }) => text).join('\n');
		},
	};
}

/** The messages of a response, which is either JSON or a stream of events. */
function parseResponses<Result>(text: string): Array<RpcResponse<Result>> {
	const lines = text.startsWith('{')
		? [text]
		: text.split('\n').filter((line) => /^data:/.test(line));
	return lines.map((line) => JSON.parse(line.replace(/^data:/, '')) as RpcResponse<Result>);
}
