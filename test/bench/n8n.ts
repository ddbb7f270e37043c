import { cp, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';

import { installPackage, packPackage } from '../n8n/communityPackage';
import { listExecutions, waitForExecution, type Execution } from '../n8n/executions';
import { ensureN8n, type N8nInstall } from '../n8n/install';
import { startN8n, type N8nServer } from '../n8n/server';
import { openSession, post, type Session } from '../n8n/session';
import {
	createCredential,
	importWorkflow,
	publishWorkflow,
	type CredentialReference,
	type SavedWorkflow,
} from '../n8n/workflows';
import type { BenchServer } from './serverProcess';
import type { Student } from './students';
import { CREDENTIAL_TYPE, GENERIC_CREDENTIAL_TYPE, toWorkflow, type Way } from './workflows';

/** What every n8n of a run starts from. */
export interface Preparation {
	install: N8nInstall;
	folder: string;
	/** A user folder with nothing but the package in it. */
	template: string;
}

/** An n8n that was started for measuring, with the credentials for the server. */
export interface BenchN8n {
	server: N8nServer;
	session: Session;
	credentials: Record<string, CredentialReference>;
	stop: () => Promise<void>;
}

/** A workflow that is published and waits for its webhook to be called. */
export interface PublishedWay {
	way: Way;
	workflow: SavedWorkflow;
}

const LONGEST_RUN_MS = 600_000;
const SETTINGS = {
	// Otherwise one of the ways would have to wait for the runner of its Code node to start.
	N8N_RUNNERS_AUTO_SHUTDOWN_TIMEOUT: '0',
};
const GRACE_MS = 30_000;

/** Installs n8n where it is not yet, and the packed package into a user folder to copy. */
export async function prepare(folder: string): Promise<Preparation> {
	const install = await ensureN8n();
	const template = join(folder, 'template');
	await installPackage(await packPackage(folder), template);
	return { install, folder, template };
}

/** Starts an n8n with a user folder of its own. */
export async function startBenchN8n(
	{ install, folder, template }: Preparation,
	{ baseUrl, accessToken }: BenchServer,
	nodeOptions: string[] = [],
): Promise<BenchN8n> {
	const userFolder = await mkdtemp(join(folder, 'user-'));
	await cp(template, userFolder, { recursive: true });
	const server = await startN8n(install, { userFolder, nodeOptions, env: SETTINGS });
	const session = await openSession(server.url);
	const credentials = {
		[CREDENTIAL_TYPE]: await createCredential(session, CREDENTIAL_TYPE, 'Class Enrollment', {
			baseUrl,
			accessToken,
		}),
		[GENERIC_CREDENTIAL_TYPE]: await createCredential(session, GENERIC_CREDENTIAL_TYPE, 'Bearer', {
			token: accessToken,
		}),
	};
	return {
		server,
		session,
		credentials,
		async stop() {
			await server.stop(GRACE_MS);
			await rm(userFolder, { recursive: true, force: true });
		},
	};
}

/** Saves and publishes the workflow of a way. */
export async function publishWay(
	{ session, credentials }: BenchN8n,
	way: Way,
): Promise<PublishedWay> {
	const saved = await importWorkflow(session, toWorkflow(way), credentials);
	return { way, workflow: await publishWorkflow(session, saved) };
}

/** Calls the webhook of a way and waits for the answer, which comes when the workflow has ended. */
export async function callWay(
	{ server }: BenchN8n,
	{ way }: PublishedWay,
	students: Student[],
): Promise<void> {
	const response = await fetch(`${server.url}/webhook/${way.key}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify({ students }),
		signal: AbortSignal.timeout(LONGEST_RUN_MS),
	});
	const text = await response.text();
	if (!response.ok) throw new Error(`${way.title} failed with ${response.status}: ${text}`);
}

/** Fetches the newest execution of a way and removes it from n8n, so that the database does not grow. */
export async function takeExecution(
	{ session }: BenchN8n,
	{ workflow }: PublishedWay,
): Promise<Execution> {
	const [newest] = await listExecutions(session, workflow.id);
	if (!newest) throw new Error(`n8n saved no execution of "${workflow.name}".`);
	const execution = await waitForExecution(session, newest.id);
	if (execution.status !== 'success') {
		throw new Error(
			`"${workflow.name}" ended with ${execution.status}: ${execution.error?.message}`,
		);
	}
	await post(session, '/executions/delete', { ids: [newest.id] });
	return execution;
}
