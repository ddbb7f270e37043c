import { randomUUID } from 'node:crypto';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { installPackage, packPackage } from '../n8n/communityPackage';
import { listExecutions, waitForExecution, type Execution } from '../n8n/executions';
import { ensureN8n, type N8nInstall } from '../n8n/install';
import { startN8n } from '../n8n/server';
import { openSession, post, type Session } from '../n8n/session';
import {
	createCredential,
	importWorkflow,
	publishWorkflow,
	type SavedWorkflow,
} from '../n8n/workflows';
import type { BenchServer } from './server';
import { CREDENTIAL_TYPE, GENERIC_CREDENTIAL_TYPE, toWorkflow, type Way } from './workflows';

/** What every n8n of a run starts from. */
export interface Preparation {
	install: N8nInstall;
	folder: string;
	/** A user folder with nothing in it but our package and the floor. */
	template: string;
}

/** An n8n that was started for measuring. */
export interface BenchN8n {
	url: string;
	pid: number;
	session: Session;
	stop: () => Promise<void>;
}

/** A published workflow, called by its webhook. */
export interface PublishedWay {
	way: Way;
	path: string;
	workflow: SavedWorkflow;
}

const MAX_RUN_MS = 600_000;
const GRACE_MS = 30_000;
const SETTINGS = {
	// Otherwise one of the ways would have to wait for the runner of its Code node to start.
	N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT: '0',
};

/** Installs n8n if it is missing, and prepares a user folder with our package and the floor. */
export async function prepare(folder: string): Promise<Preparation> {
	const install = await ensureN8n();
	const template = join(folder, 'template');
	await installPackage(await packPackage(folder), template);
	const nodeModules = join(template, '.n8n/nodes/node_modules');
	await cp(join(__dirname, 'floor'), join(nodeModules, 'n8n-nodes-bench-floor'), {
		recursive: true,
	});
	return { install, folder, template };
}

/** Starts an n8n with its own user folder. */
export async function startBenchN8n({ install, folder, template }: Preparation): Promise<BenchN8n> {
	const userFolder = await mkdtemp(join(folder, 'user-'));
	await cp(template, userFolder, { recursive: true });
	const { url, pid, stop } = await startN8n(install, { userFolder, env: SETTINGS });
	return {
		url,
		pid,
		session: await openSession(url),
		async stop() {
			await stop(GRACE_MS);
			await rm(userFolder, { recursive: true, force: true });
		},
	};
}

/** Saves and publishes the workflow of a way, with credentials for a service. */
export async function publishWay(
	{ session }: BenchN8n,
	way: Way,
	{ baseUrl, accessToken }: Pick<BenchServer, 'baseUrl' | 'accessToken'>,
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
export async function callWay(
	{ url }: BenchN8n,
	{ way, path }: PublishedWay,
	items: object[],
): Promise<void> {
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
export async function takeExecution(
	{ session }: BenchN8n,
	{ workflow }: PublishedWay,
): Promise<Execution> {
	const [last] = await listExecutions(session, workflow.id);
	if (!last) throw new Error(`n8n saved no execution of "${workflow.name}".`);
	const execution = await waitForExecution(session, last.id);
	if (execution.status !== 'success') {
		throw new Error(
			`"${workflow.name}" ended with ${execution.status}: ${execution.error?.message}`,
		);
	}
	await post(session, '/executions/delete', { ids: [last.id] });
	return execution;
}
