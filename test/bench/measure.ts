import { range, sumBy } from 'lodash';
import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';

import { CREDENTIAL_TYPE, createUserFolder, preparation } from '../e2e/world';
import { waitForLastExecution } from '../n8n/executions';
import { callWebhook } from '../n8n/requests';
import { startN8n } from '../n8n/server';
import { openSession, post } from '../n8n/session';
import { createCredential, importWorkflow, publishWorkflow } from '../n8n/workflows';
import type { BenchServer, Student } from './server';
import { GENERIC_CREDENTIAL_TYPE, toWorkflow, type Approach } from './workflows';

/** All counted results of one approach. */
export interface Series {
	title: string;
	results: Array<{
		/** The time of the approach's nodes, as n8n measured it. */
		nodesMs: number;
		/** From the call of the webhook to its response. */
		totalMs: number;
		requests: number;
	}>;
	/** The peak memory of n8n, in MB; NaN if the system has no /proc. */
	peakMb: number;
}

// Otherwise one of the approaches would have to wait for the runner of its Code node to start.
const env = { N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT: '0' };

/** Measures an approach in an n8n of its own, after a round that warms up, and checks that every round did its whole job. */
export async function measureApproach(
	approach: Approach,
	{ baseUrl, accessToken, ...server }: BenchServer,
	students: Student[],
	rounds: number,
): Promise<Series> {
	const { title, nodes } = approach;
	console.error(`${students.length} students: ${title} …`);
	const userFolder = await createUserFolder();
	const n8n = await startN8n(preparation().n8n, { userFolder, env });
	const session = await openSession(n8n.url);
	const create = async (type: string, data: object) =>
		await createCredential(session, type, type, data);
	const path = randomUUID();
	const saved = await importWorkflow(session, toWorkflow(approach, path), {
		[CREDENTIAL_TYPE]: await create(CREDENTIAL_TYPE, { baseUrl, accessToken }),
		[GENERIC_CREDENTIAL_TYPE]: await create(GENERIC_CREDENTIAL_TYPE, { token: accessToken }),
	});
	const { id } = await publishWorkflow(session, saved);

	const results: Series['results'] = [];
	for (const round of range(rounds + 1)) {
		server.reset();
		const started = performance.now();
		const response = await callWebhook(session, path, { items: students });
		const answer = await response.text();
		const totalMs = performance.now() - started;
		const { runData, ...execution } = await waitForLastExecution(session, id);
		// So that the database does not grow.
		await post(session, '/executions/delete', { ids: [execution.id] });
		const { students: added, refused, requests } = server.record();
		if (
			!response.ok ||
			execution.status !== 'success' ||
			added.size !== students.length ||
			refused > 0
		) {
			throw new Error(`${title} did not do its whole job: ${JSON.stringify(execution)} ${answer}`);
		}
		const nodesMs = sumBy(
			nodes.flatMap(({ name }) => runData[name] ?? []),
			'executionTime',
		);
		if (round > 0) results.push({ nodesMs, totalMs, requests });
	}
	const status = await readFile(`/proc/${n8n.pid}/status`, 'utf8').catch(() => '');
	const peakMb = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
	await n8n.stop();
	return { title, results, peakMb };
}
