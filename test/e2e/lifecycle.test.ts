import { readPackageJson } from '../n8n/communityPackage';
import { jsonOf, listExecutions, runWorkflow, waitForExecution } from '../n8n/executions';
import { get, post } from '../n8n/session';
import {
	createCredential,
	publishWorkflow,
	type CredentialReference,
	type SavedWorkflow,
} from '../n8n/workflows';
import { received, startService, type Service } from '../service/service';
import { eventually } from '../n8n/waiting';
import { enrollment, saveChain, saveWorkflow, START, trigger } from './workflows';
import { BUILD, createLaterBuild, LATER_DESCRIPTION } from './lifecycle/builds';
import { startRegistry, type Registry } from './lifecycle/registry';
import { install, listInstalled, uninstall, update } from './lifecycle/settings';
import { POLL_TIMES } from './trigger/schedulers';
import {
	CREDENTIAL_TYPE,
	NODE_TYPE,
	preparation,
	startWorld,
	TRIGGER_TYPE,
	useWorld,
} from './world';

const PACKAGE = 'n8n-nodes-class-enrollment';
const PYTHON = 'class-python';
const RUST = 'class-rust';
const EMAIL = 'student@example.com';

const oneClass = { __rl: true, mode: 'list', value: PYTHON, cachedResultName: 'Python' };
const student = (operation: string, parameters: object) =>
	enrollment(operation, { resource: 'student', operation, email: EMAIL, ...parameters });

/** Every operation once. Together they leave the classes as they were, so that every run can do the same. */
const OPERATIONS = [
	student('addToClass', {
		classId: oneClass,
		name: 'Student',
		accessExpiration: 'date',
		expirationDate: '2099-01-31T12:00:00.000Z',
	}),
	student('addToClasses', { classIds: [RUST] }),
	enrollment('addManyToClass', {
		resource: 'student',
		operation: 'addManyToClass',
		classId: oneClass,
		options: { batchSize: 10 },
	}),
	student('sendMagicLink', { email: '={{ $json.email }}', redirectUrl: 'https://example.com/' }),
	student('removeFromClass', { classId: oneClass }),
	student('removeFromClasses', { classIds: '={{ ["class-rust"] }}' }),
	enrollment('getAll', { resource: 'class', operation: 'getAll', filters: { query: 'P' } }),
];

let registry: Registry;
const world = useWorld(async () => {
	registry = await startRegistry(preparation().folder);
	return await startWorld({ env: registry.env });
});
let operations: SavedWorkflow;
let watcher: SavedWorkflow;
/** The service that the trigger watches: another one, so that its polls are not in the way. */
let watched: Service;
/** What n8n returned for the workflows, and what the operations did, before anything was changed. */
let saved: Awaited<ReturnType<typeof readSaved>>;
let firstRun: Awaited<ReturnType<typeof runOperations>>;

beforeAll(async () => {
	world.service.classes.addClass({ id: PYTHON, name: 'Python' });
	world.service.classes.addClass({ id: RUST, name: 'Rust' });
	watched = await startService();
});

afterAll(async () => {
	await watched?.close();
	registry?.close();
});

/** Runs all operations. Returns the requests and the output of each one, without times. */
async function runOperations() {
	const { service, session } = world;
	service.resetRecord();
	const execution = await runWorkflow(session, operations, START);
	expect(execution.error).toBeUndefined();
	const outputs = OPERATIONS.map(({ name }) => jsonOf(execution, name));
	const requests = received(service);
	return JSON.parse(
		JSON.stringify({ requests, outputs }, (key, value: unknown) =>
			['expiresAt', 'updatedAt'].includes(key) ? undefined : value,
		),
	) as { requests: object[]; outputs: object[][] };
}

/** Waits until the trigger has reported these classes since the beginning, each one once. */
async function expectReports(...names: string[]): Promise<void> {
	await eventually(async () => {
		const reported: unknown[] = [];
		for (const { id } of await listExecutions(world.session, watcher.id)) {
			const items = jsonOf(await waitForExecution(world.session, id), watcher.name);
			reported.unshift(...items.map(({ name }) => name));
		}
		expect(reported).toEqual(names);
	});
}

/** What n8n returns for the workflows and the credentials. */
async function readSaved() {
	const workflows: object[] = [];
	for (const { id } of [operations, watcher]) {
		const { nodes, connections, settings, versionId, active } = await get<SavedWorkflow>(
			world.session,
			`/workflows/${id}`,
		);
		workflows.push({ nodes, connections, settings, versionId, active });
	}
	const credentials = await get<Array<CredentialReference & { type: string }>>(
		world.session,
		'/credentials',
	);
	return { workflows, credentials: credentials.map(({ id, name, type }) => ({ id, name, type })) };
}

/** How the node describes itself. */
async function readDescription(): Promise<string> {
	const [node] = await post<Array<{ description: string }>>(world.session, '/node-types', {
		nodeInfos: [{ name: NODE_TYPE, version: 1 }],
	});
	return node!.description;
}

test('n8n installs the package, over one that was installed by hand', async () => {
	await registry.publish(BUILD);
	expect(await listInstalled(world.session)).toEqual([]);
	const { installedVersion, installedNodes } = await install(world.session, PACKAGE);
	expect(installedVersion).toBe((await readPackageJson(BUILD)).version);
	expect(installedNodes.map(({ type }) => type).sort()).toEqual([NODE_TYPE, TRIGGER_TYPE]);
});

test('every operation and the trigger work', async () => {
	operations = await saveChain(world, 'Operations', OPERATIONS);
	const { baseUrl, accessToken } = watched;
	const credential = await createCredential(world.session, CREDENTIAL_TYPE, 'Watched', {
		baseUrl,
		accessToken,
	});
	watcher = await saveWorkflow({ ...world, credential }, 'Created', [
		trigger('Created', { event: 'classCreated', pollTimes: POLL_TIMES }),
	]);
	watched.classes.addClass({ name: 'Before publishing' });
	watcher = await publishWorkflow(world.session, watcher);
	saved = await readSaved();
	expect(saved.workflows).toMatchObject([{ active: false }, { active: true }]);
	expect(saved.credentials).toHaveLength(2);

	firstRun = await runOperations();
	expect(firstRun.requests).toHaveLength(OPERATIONS.length);
	expect(firstRun.outputs.map(({ length }) => length)).toEqual(OPERATIONS.map(() => 1));
	watched.classes.addClass({ name: 'Before the update' });
	await expectReports('Before the update');
});

test('n8n offers a later version and updates to it', async () => {
	const build = await createLaterBuild(preparation().folder);
	const { version } = await readPackageJson(build);
	await registry.publish(build);
	const [installed] = await listInstalled(world.session);
	expect(installed).toMatchObject({ packageName: PACKAGE, updateAvailable: version });
	expect(await update(world.session, installed!)).toMatchObject({ installedVersion: version });
	expect(await readDescription()).toBe(LATER_DESCRIPTION);
});

test('saved workflows are unchanged and do the same', async () => {
	expect(await readSaved()).toEqual(saved);
	expect(await runOperations()).toEqual(firstRun);
});

test('the trigger goes on where it was', async () => {
	watched.classes.addClass({ name: 'After the update' });
	await expectReports('Before the update', 'After the update');
});

test('n8n uninstalls the package, and starts without it', async () => {
	await uninstall(world.session, PACKAGE);
	expect(await listInstalled(world.session)).toEqual([]);
	await world.crash();
	await world.restart();
});

test('workflows and credentials stay, but the workflows cannot run', async () => {
	expect(await readSaved()).toEqual(saved);
	await expect(runOperations()).rejects.toThrow(`Unrecognized node type: ${NODE_TYPE}`);
});

test('installed again, every operation works', async () => {
	await install(world.session, PACKAGE);
	expect(await readSaved()).toEqual(saved);
	expect(await runOperations()).toEqual(firstRun);
});

// n8n does not do this itself: when it started without the package, it gave up the trigger.
test('published again, the trigger catches up', async () => {
	watched.classes.addClass({ name: 'While uninstalled' });
	await publishWorkflow(world.session, watcher);
	await expectReports('Before the update', 'After the update', 'While uninstalled');
});
