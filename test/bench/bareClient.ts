import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';

import type { Measure } from './measure';
import type { BenchServer, ServerSettings } from './serverProcess';
import { CLASS_ID, type Student } from './students';

/** As many as the node has in flight unless told otherwise. */
const REQUESTS_AT_ONCE = 10;

/** Sends the students without n8n, over connections that are kept: how fast it can be at all. */
export async function measureBareClient(
	server: BenchServer,
	students: Student[],
	studentsPerRequest: number,
	settings: ServerSettings,
): Promise<Measure> {
	await server.reset(settings);
	const agent = new Agent({ keepAlive: true, maxSockets: REQUESTS_AT_ONCE });
	const path = `/classe/${CLASS_ID}/add-student${studentsPerRequest > 1 ? 's' : ''}`;
	const started = performance.now();
	let next = 0;
	const sendInTurn = async () => {
		while (next < students.length) {
			const batch = students.slice(next, (next += studentsPerRequest));
			await post(agent, server, path, studentsPerRequest > 1 ? { students: batch } : batch[0]);
		}
	};
	await Promise.all(Array.from({ length: REQUESTS_AT_ONCE }, sendInTurn));
	const totalMs = performance.now() - started;
	agent.destroy();
	return { totalMs, record: await server.record() };
}

async function post(
	agent: Agent,
	{ baseUrl, accessToken }: BenchServer,
	path: string,
	body: unknown,
): Promise<void> {
	const sent = request(`${baseUrl}${path}`, {
		agent,
		method: 'POST',
		headers: { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' },
	}).end(JSON.stringify(body));
	const [response] = (await once(sent, 'response')) as [IncomingMessage];
	response.resume();
	await once(response, 'end');
	if (response.statusCode !== 200) throw new Error(`The server answered ${response.statusCode}`);
}
