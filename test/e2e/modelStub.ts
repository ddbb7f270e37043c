import express from 'express';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool call that the model asks for. */
export interface ToolCall {
	name: string;
	arguments: object;
}

interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string;
}

interface CompletionRequest {
	messages: Message[];
	tools?: Array<{ function: { name: string; description: string; parameters: object } }>;
}

/** A language model that asks for the tool calls it is given. */
export interface ModelStub {
	/** The Base URL for OpenAI clients. */
	readonly baseUrl: string;
	readonly apiKey: string;
	/** All requests, in order. */
	readonly requests: CompletionRequest[];
	/** What the tools returned, in order. */
	toolResults(): string[];
	/** The calls that the model asks for next, all at once. After that it says `Done.` */
	callTools(...calls: ToolCall[]): void;
	close(): Promise<void>;
}

/** Starts a language model with the OpenAI protocol on 127.0.0.1. */
export async function startModelStub(): Promise<ModelStub> {
	const requests: CompletionRequest[] = [];
	let nextCalls: ToolCall[] = [];

	const app = express();
	app.use(express.json({ limit: '10mb' }));
	app.post('/v1/chat/completions', (request, response) => {
		requests.push(request.body as CompletionRequest);
		response.json(completion(nextCalls));
		nextCalls = [];
	});

	const server = createServer(app);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		apiKey: 'key-of-the-model',
		requests,
		toolResults: () => (requests.at(-1)?.messages ?? []).filter(isToolResult).map(contentOf),
		callTools(...calls) {
			requests.length = 0;
			nextCalls = calls;
		},
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

const isToolResult = ({ role }: Message) => role === 'tool';
const contentOf = ({ content }: Message) => content;

function completion(calls: ToolCall[]): object {
	const toolCalls = calls.map(({ name, arguments: given }) => ({
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name, arguments: JSON.stringify(given) },
	}));
	const message =
		calls.length > 0
			? { role: 'assistant', content: null, tool_calls: toolCalls }
			: { role: 'assistant', content: 'Done.' };
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model: 'stub',
		choices: [{ index: 0, message, finish_reason: calls.length > 0 ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
