import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startService, type Service } from '../test/service/service';
import classes from './classes.json';
import { installPackage } from '../test/n8n/communityPackage';
import { runWorkflow } from '../test/n8n/executions';
import { ensureN8n } from '../test/n8n/install';
import { stopAll } from '../test/n8n/processes';
import { startN8n, type N8nServer } from '../test/n8n/server';
import { DEMO_OWNER, openSession, type Session } from '../test/n8n/session';
import {
	createCredential,
	importWorkflow,
	type SavedWorkflow,
	type Workflow,
} from '../test/n8n/workflows';
import { choosePort, type Options, readOptions } from './options';
import { findProblems, printRecord } from './report';
import { RELOAD, watchSource } from './watch';
import workflow from './workflow.json';

const CREDENTIAL = 'classEnrollmentApi';
const TRIGGER = 'When Clicking Execute';
const SIGNALS: NodeJS.Signals[] = ['SIGINT', 'SIGTERM', 'SIGHUP'];

const interruption = new Promise<'interrupted'>((resolve) => {
	SIGNALS.forEach((signal) => process.on(signal, () => resolve('interrupted')));
});

async function startEverything(folder: string, options: Options) {
	const port = await choosePort(options.port);
	const install = await ensureN8n();

	console.log('Installing the packed node as a community package …');
	const installed = await installPackage(folder);

	console.log('Starting n8n and a stand-in for the service …');
	const service = await startService();
	classes.forEach((details) => service.classes.addClass(details));
	const n8n = await startN8n(install, {
		userFolder: folder,
		port,
		env: options.watch ? RELOAD : {},
	});
	if (options.watch) void watchSource(installed);
	return { service, n8n };
}

async function setUp(session: Session, { baseUrl, accessToken }: Service): Promise<SavedWorkflow> {
	const credential = await createCredential(session, CREDENTIAL, 'Class Enrollment', {
		baseUrl,
		accessToken,
	});
	return await importWorkflow(session, workflow as unknown as Workflow, {
		[CREDENTIAL]: credential,
	});
}

async function demonstrate(folder: string, options: Options) {
	const { service, n8n } = await startEverything(folder, options);
	const session = await openSession(n8n.url);
	const saved = await setUp(session, service);

	console.log(`Running the workflow "${saved.name}" …`);
	const execution = await runWorkflow(session, saved, TRIGGER);
	printRecord(service);
	const problems = findProblems(execution, service);
	problems.forEach((problem) => console.error(`✗ ${problem}`));
	if (problems.length === 0)
		console.log('✓ Every buyer was added to the classes they paid for and got a magic link.\n');
	return { service, n8n, saved, exitCode: problems.length === 0 ? 0 : 1 };
}

async function leaveOpen(n8n: N8nServer, saved: SavedWorkflow, service: Service): Promise<void> {
	console.log(`n8n is open at    ${n8n.url}/workflow/${saved.id}
  email           ${DEMO_OWNER.email}
  password        ${DEMO_OWNER.password}
The service is at ${service.baseUrl}
  access token    ${service.accessToken}

Press Ctrl-C to stop. Your changes in this n8n will be lost.`);
	if ((await Promise.race([interruption, n8n.ended])) !== 'interrupted') {
		throw new Error('n8n stopped unexpectedly.');
	}
}

async function main(): Promise<number> {
	const folder = await mkdtemp(join(tmpdir(), 'class-enrollment-demo-'));
	try {
		const options = readOptions();
		const result = await Promise.race([interruption, demonstrate(folder, options)]);
		if (result === 'interrupted') return 130;
		if (!options.once) await leaveOpen(result.n8n, result.saved, result.service);
		return result.exitCode;
	} catch (error) {
		console.error(`\n${error instanceof Error ? error.message : String(error)}`);
		return 1;
	} finally {
		console.log('Stopping …');
		await stopAll();
		await rm(folder, { recursive: true, force: true });
	}
}

void main().then((exitCode) => process.exit(exitCode));
