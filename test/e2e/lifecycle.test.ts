import pick from 'lodash/pick';

import { readPackageJson } from '../n8n/communityPackage';
import { jsonOf, listExecutions, runWorkflow, waitForExecution } from '../n8n/executions';
import { get, patch, post, remove } from '../n8n/session';
import { createCredential, publishWorkflow, type SavedWorkflow } from '../n8n/workflows';
import { received, startService, type Service } from '../service/service';
import { eventually } from '../n8n/waiting';
import { enrollment, saveChain, saveWorkflow, START, trigger } from './workflows';
import { BUILD, createLaterBuild, LATER_DESCRIPTION } from './lifecycle/builds';
import { startRegistry, type Registry } from './lifecycle/registry';
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
/** What n8n itself has installed. A package that was installed on the command line is not in the list. */
const INSTALLED = '/community-packages';
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
	student('addManyToClass', { classId: oneClass, options: { batchSize: 10 } }),
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
	const { session } = world;
	const ids = [operations, watcher].map(({ id }) => id);
	const workflows = await Promise.all(ids.map((id) => get<object>(session, `/workflows/${id}`)));
	const credentials = await get<object[]>(session, '/credentials');
	const parts = ['nodes', 'connections', 'settings', 'versionId', 'active'];
	return {
		workflows: workflows.map((workflow) => pick(workflow, parts)),
		credentials: credentials.map((credential) => pick(credential, ['id', 'name', 'type'])),
	};
}

test('n8n installs the package, over one that was installed by hand', async () => {
	await registry.publish(BUILD);
	expect(await get(world.session, INSTALLED)).toEqual([]);
	const { version: installedVersion } = await readPackageJson(BUILD);
	expect(await post(world.session, INSTALLED, { name: PACKAGE })).toMatchObject({
		installedVersion,
		installedNodes: [{ type: NODE_TYPE }, { type: TRIGGER_TYPE }],
	});
});

test('every operation and the trigger work', async () => {
	operations = await saveChain(world, 'Operations', OPERATIONS);
	const access = pick(watched, ['baseUrl', 'accessToken']);
	const credential = await createCredential(world.session, CREDENTIAL_TYPE, 'Watched', access);
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
	expect(await get(world.session, INSTALLED)).toMatchObject([
		{ packageName: PACKAGE, updateAvailable: version },
	]);
	const updated = await patch(world.session, INSTALLED, { name: PACKAGE, version });
	expect(updated).toMatchObject({ installedVersion: version });
	const nodeInfos = [{ name: NODE_TYPE, version: 1 }];
	expect(await post(world.session, '/node-types', { nodeInfos })).toMatchObject([
		{ description: LATER_DESCRIPTION },
	]);
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
	await remove(world.session, `${INSTALLED}?name=${PACKAGE}`);
	expect(await get(world.session, INSTALLED)).toEqual([]);
	await world.crash();
	await world.restart();
});

test('workflows and credentials stay, but the workflows cannot run', async () => {
	expect(await readSaved()).toEqual(saved);
	await expect(runOperations()).rejects.toThrow(`Unrecognized node type: ${NODE_TYPE}`);
});

test('installed again, every operation works', async () => {
	await post(world.session, INSTALLED, { name: PACKAGE });
	expect(await readSaved()).toEqual(saved);
	expect(await runOperations()).toEqual(firstRun);
});

// n8n does not do this itself: when it started without the package, it gave up the trigger.
test('published again, the trigger catches up', async () => {
	watched.classes.addClass({ name: 'While uninstalled' });
	await publishWorkflow(world.session, watcher);
	await expectReports('Before the update', 'After the update', 'While uninstalled');
});
