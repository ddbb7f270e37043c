import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** A student as the service takes it. */
export type Student = ReturnType<typeof makeStudent>;

/** Makes one of several students, with three fields each and different email addresses. */
export const makeStudent = (index: number) => ({
	name: `Student ${index + 1}`,
	email: `student.${index + 1}@example.com`,
	expirationDate: new Date(Date.UTC(2027, 0, 1 + (index % 365), 12)).toISOString(),
});

export type BenchServer = Awaited<ReturnType<typeof startServer>>;

const ACCESS_TOKEN = 'benchmark-access-token';
const AUTHORIZATION = `Bearer ${ACCESS_TOKEN}`;
const MAX_WAITING_CONNECTIONS = 65_535;
const IDLE_CONNECTION_MS = 60_000;

/** Starts the service with as little work per request as possible, so that n8n is what is measured. */
export async function startServer() {
	/** What it has seen since the last reset; of the students, the addresses of those who were added. */
	const newRecord = () => ({ requests: 0, refused: 0, students: new Set<string>() });
	let record = newRecord();

	const isAccepted = ({ name, email, expirationDate }: Partial<Student>) =>
		name && email && expirationDate;

	async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		record.requests++;
		const send = (status: number, body: unknown) =>
			response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

		const body = JSON.parse((await text(request)) || '{}') as Record<string, unknown>;
		const students = (body.students ?? [body]) as Array<Partial<Student>>;
		const isAllowed = request.headers.authorization === AUTHORIZATION;
		if (isAllowed && students.every(isAccepted)) {
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
		reset: () => void (record = newRecord()),
		record: () => record,
	};
}
