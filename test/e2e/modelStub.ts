import express from 'express';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A tool that the model wants to have called. */
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

export interface ModelStub {
	/** The address that clients of OpenAI take as Base URL. */
	readonly baseUrl: string;
	readonly apiKey: string;
	/** What was asked, in order. */
	readonly requests: CompletionRequest[];
	/** What tools answered, in order. */
	toolAnswers(): string[];
	/** What the model wants to have called next, all at once; afterwards it says `Done.` */
	callTools(...calls: ToolCall[]): void;
	close(): Promise<void>;
}

/** Starts a language model that speaks the OpenAI protocol on 127.0.0.1, and does what it is told. */
export async function startModelStub(): Promise<ModelStub> {
	const requests: CompletionRequest[] = [];
	let due: ToolCall[] = [];

	const app = express();
	app.use(express.json({ limit: '10mb' }));
	app.post('/v1/chat/completions', (request, response) => {
		const asked = request.body as CompletionRequest;
		requests.push(asked);
		response.json(completion(due));
		due = [];
	});

	const server = createServer(app);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	return {
		baseUrl: `http://127.0.0.1:${port}/v1`,
		apiKey: 'key-of-the-model',
		requests,
		toolAnswers: () => (requests.at(-1)?.messages ?? []).filter(isToolAnswer).map(contentOf),
		callTools(...calls) {
			requests.length = 0;
			due = calls;
		},
		async close() {
			server.close();
			server.closeAllConnections();
			await once(server, 'close');
		},
	};
}

const isToolAnswer = ({ role }: Message) => role === 'tool';
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
