/** A tool as an MCP server lists it. */
export interface McpTool {
	name: string;
	description: string;
	inputSchema: { properties: Record<string, { type?: string }>; required?: string[] };
}

export interface McpToolResult {
	content: Array<{ type: string; text: string }>;
	isError?: boolean;
}

export interface McpClient {
	listTools(): Promise<McpTool[]>;
	callTool(name: string, given: object): Promise<McpToolResult>;
}

interface RpcResponse {
	id?: number;
	result?: unknown;
	error?: { message: string };
}

const PROTOCOL = '2025-03-26';

/** Opens a session with an MCP server over HTTP. */
export async function connectMcp(url: string, token: string): Promise<McpClient> {
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

	const request = async (method: string, params: object): Promise<unknown> => {
		const id = ++lastId;
		const response = await send({ id, method, params });
		sessionId ??= response.headers.get('mcp-session-id') ?? undefined;
		const rpcResponse = parseResponses(await response.text()).find(
			(candidate) => candidate.id === id,
		);
		if (!rpcResponse || rpcResponse.error)
			throw new Error(rpcResponse?.error?.message ?? 'The server sent no response.');
		return rpcResponse.result;
	};

	await request('initialize', {
		protocolVersion: PROTOCOL,
		capabilities: {},
		clientInfo: { name: 'end-to-end-test', version: '1.0.0' },
	});
	await send({ method: 'notifications/initialized' });
	return {
		listTools: async () => ((await request('tools/list', {})) as { tools: McpTool[] }).tools,
		callTool: async (name, given) =>
			(await request('tools/call', { name, arguments: given })) as McpToolResult,
	};
}

/** The messages of a response, which is either JSON or a stream of events. */
function parseResponses(text: string): RpcResponse[] {
	const lines = text.startsWith('{')
		? [text]
		: text.split('\n').filter((line) => /^data:/.test(line));
	return lines.map((line) => JSON.parse(line.replace(/^data:/, '')) as RpcResponse);
}
