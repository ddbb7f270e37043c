import express from 'express';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import { createCredential, type CredentialReference } from '../n8n/workflows';
import type { World } from './world';

/** A tool call that the model asks for. */
export interface ToolCall {
	name: string;
	arguments: Record<string, unknown>;
}

interface Message {
	role: 'system' | 'user' | 'assistant' | 'tool';
	content: string;
}

/** Gives the tests of a file a language model with the OpenAI protocol, which asks for the tool calls it is given. */
export function useModel(world: World) {
	/** Of the last request. */
	let messages: Message[] = [];
	let nextCall: ToolCall | undefined;
	let server: Server;

	const model = {
		/** n8n's credential for the model. */
		credential: {} as CredentialReference,
		/** The call that the model asks for next. After that it says `Done.` */
		callTool(call: ToolCall): void {
			messages = [];
			nextCall = call;
		},
		/** What the tool returned. */
		toolResult: () => messages.find(({ role }) => role === 'tool')?.content,
	};
	beforeAll(async () => {
		const app = express().use(express.json({ limit: '10mb' }));
		server = app.listen(0, '127.0.0.1');
		app.post('/v1/chat/completions', (request, response) => {
			({ messages } = request.body as { messages: Message[] });
			response.json(completion(nextCall));
			nextCall = undefined;
		});
		await once(server, 'listening');
		const { port } = server.address() as AddressInfo;
		const data = { apiKey: 'key-of-the-model', url: `http://127.0.0.1:${port}/v1` };
		model.credential = await createCredential(world.session, 'openAiApi', 'Model', data);
	});
	afterAll(() => {
		server?.close();
		server?.closeAllConnections();
	});
	return model;
}

function completion(call?: ToolCall): object {
	const toolCall = call && {
		id: `call_${randomUUID()}`,
		type: 'function',
		function: { name: call.name, arguments: JSON.stringify(call.arguments) },
	};
	const message = toolCall
		? { role: 'assistant', content: null, tool_calls: [toolCall] }
		: { role: 'assistant', content: 'Done.' };
	return {
		id: `chatcmpl-${randomUUID()}`,
		object: 'chat.completion',
		created: Math.floor(Date.now() / 1000),
		model: 'stub',
		choices: [{ index: 0, message, finish_reason: toolCall ? 'tool_calls' : 'stop' }],
		usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
	};
}
