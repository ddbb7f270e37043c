import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';

import type { ServerRecord, ServerSettings } from './serverProcess';
import type { Student } from './students';

/**
 * The service with as little work per request as can be, in a process of its own, so that what is measured is n8n:
 * no checks against the contract, but of the token, and a count of everything.
 * Arguments: port and access token. What is asked below /bench/ controls it and does not count.
 */

const HOST = '127.0.0.1';
const [port = '', accessToken = ''] = process.argv.slice(2);
const AUTHORIZATION = `Bearer ${accessToken}`;
const MOST_WAITING_CONNECTIONS = 65_535;
const IDLE_CONNECTION_MS = 60_000;

let settings: ServerSettings = { latencyMs: 0, classes: 0 };
let record = emptyRecord();
let emails = new Set<string>();
let connections = new WeakSet<object>();
let inFlight = 0;

function emptyRecord(): ServerRecord {
	return { requests: 0, connections: 0, peakInFlight: 0, students: 0, refused: 0 };
}

async function readJson(request: IncomingMessage): Promise<Record<string, unknown>> {
	const chunks: Buffer[] = [];
	for await (const chunk of request) chunks.push(chunk as Buffer);
	const text = Buffer.concat(chunks).toString();
	return text === '' ? {} : (JSON.parse(text) as Record<string, unknown>);
}

function answer(response: ServerResponse, status: number, body: unknown): void {
	response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}

async function control(request: IncomingMessage, response: ServerResponse): Promise<void> {
	if (request.url === '/bench/reset') {
		settings = (await readJson(request)) as unknown as ServerSettings;
		record = emptyRecord();
		emails = new Set();
		connections = new WeakSet();
	}
	answer(response, 200, { ...record, students: emails.size });
}

function count(request: IncomingMessage, response: ServerResponse): void {
	record.requests++;
	if (!connections.has(request.socket)) record.connections++;
	connections.add(request.socket);
	inFlight++;
	record.peakInFlight = Math.max(record.peakInFlight, inFlight);
	response.once('close', () => inFlight--);
}

function isComplete({ name, email, expirationDate }: Partial<Student>): boolean {
	return Boolean(name && email && expirationDate);
}

function listClasses(url: URL): unknown {
	const page = Number(url.searchParams.get('page') ?? 1);
	const size = Number(url.searchParams.get('pageSize') ?? 100);
	const first = (page - 1) * size;
	const length = Math.max(0, Math.min(size, settings.classes - first));
	return {
		data: Array.from({ length }, (_, index) => ({
			id: `class-${first + index + 1}`,
			name: `Class ${first + index + 1}`,
			createdAt: '2026-01-01T00:00:00.000Z',
			updatedAt: '2026-06-01T00:00:00.000Z',
			countStudents: index,
		})),
		totalRecords: settings.classes,
	};
}

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
	count(request, response);
	const body = await readJson(request);
	const students = (body.students ?? [body]) as Array<Partial<Student>>;
	const isRead = request.method === 'GET';
	const isAllowed = request.headers.authorization === AUTHORIZATION;
	if (settings.latencyMs > 0) await sleep(settings.latencyMs);

	if (!isAllowed || !(isRead || students.every(isComplete))) {
		record.refused++;
		return answer(response, isAllowed ? 400 : 401, { status: 'error', message: 'Refused' });
	}
	if (isRead) return answer(response, 200, listClasses(new URL(request.url ?? '', 'http://x')));
	students.forEach(({ email = '' }) => emails.add(email));
	answer(response, 200, {});
}

createServer({ keepAliveTimeout: IDLE_CONNECTION_MS }, (request, response) => {
	const handle = request.url?.startsWith('/bench/') ? control : serve;
	handle(request, response).catch((error: unknown) => response.destroy(error as Error));
}).listen({ host: HOST, port: Number(port), backlog: MOST_WAITING_CONNECTIONS });
