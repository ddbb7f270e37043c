import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';

/** A student as the service takes it. */
export type Student = ReturnType<typeof makeStudents>[number];

/** Makes students with three fields each and different email addresses. */
export function makeStudents(count: number) {
	return Array.from({ length: count }, (_, index) => ({
		name: `Student ${index + 1}`,
		email: `student.${index + 1}@example.com`,
		expirationDate: new Date(Date.UTC(2027, 0, 1 + (index % 365), 12)).toISOString(),
	}));
}

/** How the server behaves. */
export interface ServerSettings {
	/** How long every response takes. */
	latencyMs?: number;
	/** How many classes there are (default 1). */
	classes?: number;
}

/** What the server has seen since the last reset. */
export interface ServerRecord {
	requests: number;
	/** The most requests that were waiting for a response at the same time. */
	peakInFlight: number;
	/** The email addresses of all students who were added. */
	students: Set<string>;
	/** How many requests were refused. */
	refused: number;
}

export type BenchServer = Awaited<ReturnType<typeof startServer>>;

const ACCESS_TOKEN = 'benchmark-access-token';
const AUTHORIZATION = `Bearer ${ACCESS_TOKEN}`;
const MAX_WAITING_CONNECTIONS = 65_535;
const IDLE_CONNECTION_MS = 60_000;

/** Starts the service with as little work per request as possible, so that n8n is what is measured. */
export async function startServer() {
	let settings: ServerSettings = {};
	let record = emptyRecord();
	let inFlight = 0;

	const isAccepted = ({ name, email, expirationDate }: Partial<Student>) =>
		name && email && expirationDate;

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		record.requests++;
		record.peakInFlight = Math.max(record.peakInFlight, ++inFlight);
		response.once('close', () => inFlight--);
		const send = (status: number, body: unknown) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

		const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
		if (settings.latencyMs) await sleep(settings.latencyMs);
		const students = (body.students ?? [body]) as Array<Partial<Student>>;
		const isAllowed = request.headers.authorization === AUTHORIZATION;
		if (isAllowed && request.method === 'GET') {
			send(200, listClasses(new URL(request.url ?? '', 'http://x'), settings.classes ?? 1));
		} else if (isAllowed && students.every(isAccepted)) {
			students.forEach(({ email = '' }) => record.students.add(email));
			send(200, {});
		} else {
			record.refused++;
			send(isAllowed ? 400 : 401, { status: 'error', message: 'Refused' });
		}
	}

	const server = createServer({ keepAliveTimeout: IDLE_CONNECTION_MS }, (request, response) => {
		serve(request, response).catch((error: unknown) => response.destroy(error as Error));
	}).listen({ host: '127.0.0.1', port: 0, backlog: MAX_WAITING_CONNECTIONS });
	await once(server, 'listening');
	// It ends with this process.
	server.unref();
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
		accessToken: ACCESS_TOKEN,
		reset(newSettings: ServerSettings = {}) {
			settings = newSettings;
			record = emptyRecord();
		},
		record: () => record,
	};
}

function emptyRecord(): ServerRecord {
	return { requests: 0, peakInFlight: 0, students: new Set(), refused: 0 };
}

function listClasses({ searchParams }: URL, totalRecords: number): object {
	const page = Number(searchParams.get('page') ?? 1);
	const size = Number(searchParams.get('pageSize') ?? 100);
	const first = (page - 1) * size;
	const length = Math.max(0, Math.min(size, totalRecords - first));
	const data = Array.from({ length }, (_, index) => ({
		id: `class-${first + index + 1}`,
		name: `Class ${first + index + 1}`,
		createdAt: '2026-01-01T00:00:00.000Z',
		updatedAt: '2026-06-01T00:00:00.000Z',
		countStudents: index,
	}));
	return { data, totalRecords };
}
