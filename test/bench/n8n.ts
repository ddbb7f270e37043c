import { randomUUID } from 'node:crypto';

import { CREDENTIAL_TYPE, createUserFolder, preparation } from '../e2e/world';
import { waitForLastExecution } from '../n8n/executions';
import { startN8n } from '../n8n/server';
import { openSession, post } from '../n8n/session';
import {
	createCredential,
	importWorkflow,
	publishWorkflow,
	type SavedWorkflow,
} from '../n8n/workflows';
import type { BenchServer } from './server';
import { GENERIC_CREDENTIAL_TYPE, toWorkflow, type Way } from './workflows';

/** An n8n that was started for measuring. */
export type BenchN8n = Awaited<ReturnType<typeof startBenchN8n>>;

/** A published workflow, called by its webhook. */
export interface PublishedWay {
	way: Way;
	path: string;
	workflow: SavedWorkflow;
}

const MAX_RUN_MS = 600_000;
const SETTINGS = {
	// Otherwise one of the ways would have to wait for the runner of its Code node to start.
	N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT: '0',
};

/** Starts an n8n with its own user folder. */
export async function startBenchN8n() {
	const userFolder = await createUserFolder();
	const n8n = await startN8n(preparation().n8n, { userFolder, env: SETTINGS });
	return { ...n8n, session: await openSession(n8n.url) };
}

/** Saves and publishes the workflow of a way, with credentials for a service. */
export async function publishWay(
	{ session }: BenchN8n,
	way: Way,
	{ baseUrl, accessToken }: BenchServer,
): Promise<PublishedWay> {
	const path = randomUUID();
	const create = async (type: string, data: object) =>
		await createCredential(session, type, type, data);
	const saved = await importWorkflow(session, toWorkflow(way, path), {
		[CREDENTIAL_TYPE]: await create(CREDENTIAL_TYPE, { baseUrl, accessToken }),
		[GENERIC_CREDENTIAL_TYPE]: await create(GENERIC_CREDENTIAL_TYPE, { token: accessToken }),
	});
	return { way, path, workflow: await publishWorkflow(session, saved) };
}

/** Calls the webhook of a way and waits for the response, which comes when the workflow has ended. */
export async function callWay({ url }: BenchN8n, { way, path }: PublishedWay, items: object[]) {
	const response = await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ items }),
		signal: AbortSignal.timeout(MAX_RUN_MS),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${way.title} failed with ${response.status}: ${text}`);
}

/** Fetches the last execution of a way and deletes it in n8n, so that the database does not grow. */
export async function takeExecution({ session }: BenchN8n, { workflow }: PublishedWay) {
	const execution = await waitForLastExecution(session, workflow.id);
	if (execution.status !== 'success') {
		throw new Error(
			`"${workflow.name}" ended with ${execution.status}: ${execution.error?.message}`,
		);
	}
	await post(session, '/executions/delete', { ids: [execution.id] });
	return execution;
}
