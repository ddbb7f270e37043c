import pick from 'lodash/pick';
import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { installPackage } from '../n8n/communityPackage';
import { ensureN8n, type N8nInstall } from '../n8n/install';
import { leaveAsFound } from '../n8n/leaveAsFound';
import { enter, runningN8n } from '../n8n/running';
import { startN8n, type N8nOptions, type N8nServer } from '../n8n/server';
import { openSession, type Session } from '../n8n/session';
import { createCredential } from '../n8n/workflows';
import { startService } from '../service/service';
import { keepOnFailure } from './evidence';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';
export const NODE_TYPE = 'n8n-nodes-class-enrollment.classEnrollment';
export const TRIGGER_TYPE = 'n8n-nodes-class-enrollment.classEnrollmentTrigger';

/** What all test files share, if they start an n8n of their own. */
export interface Preparation {
	n8n: N8nInstall;
	/** Contains the user folders; removed after the last test. */
	folder: string;
	/** A user folder that contains only the package. */
	template: string;
}

export type World = Awaited<ReturnType<typeof startWorld>>;

const VARIABLE = 'CLASS_ENROLLMENT_E2E';
const SESSION_VARIABLE = 'CLASS_ENROLLMENT_E2E_SESSION';

/**
 * Signs in to the n8n that is already running, for all test files: n8n lets nobody sign in often.
 * @returns whether there is one
 */
export async function enterRunningN8n(): Promise<boolean> {
	const running = runningN8n();
	if (running) process.env[SESSION_VARIABLE] = JSON.stringify(await enter(running));
	return running !== undefined;
}

/** Installs n8n if it is missing, and prepares a user folder with the packed package. */
export async function prepareWorlds(): Promise<string> {
	const n8n = await ensureN8n();
	const folder = await mkdtemp(join(tmpdir(), 'class-enrollment-e2e-'));
	const template = join(folder, 'template');
	await installPackage(template);
	const preparation: Preparation = { n8n, folder, template };
	process.env[VARIABLE] = JSON.stringify(preparation);
	return folder;
}

/** Removes all user folders. */
export async function removeWorlds(): Promise<void> {
	await rm(preparation().folder, { recursive: true, force: true });
}

/** What `prepareWorlds` prepared. */
export function preparation(): Preparation {
	const text = process.env[VARIABLE];
	if (!text) throw new Error('Call prepareWorlds first.');
	return JSON.parse(text) as Preparation;
}

/** Creates a user folder for n8n with the package. */
export async function createUserFolder(): Promise<string> {
	const { folder, template } = preparation();
	const userFolder = await mkdtemp(join(folder, 'user-'));
	await cp(template, userFolder, { recursive: true });
	return userFolder;
}

/** Keeps a log if a test fails, until the returned function is called. */
export function keepLogOnFailure({ logFile }: Pick<N8nServer, 'logFile'>): () => void {
	return keepOnFailure(async (folder) => {
		await copyFile(logFile, join(folder, basename(logFile)));
	});
}

/**
 * Gives the tests of a file a world. Before each test, the service behaves and has received nothing; none may break
 * the service's contract.
 */
export function useWorld<Used extends World>(start: () => Promise<Used>): Used {
	const world = {} as Used;
	beforeAll(async () => void Object.assign(world, await start()));
	afterAll(async () => await world.stop?.());
	beforeEach(() => {
		world.service.temper = {};
		world.service.resetRecord();
	});
	afterEach(() => expect(world.service.violations).toEqual([]));
	return world;
}

type CleanUps = Array<() => unknown>;

/** Starts several things. `stop`, or a failure on the way, stops what was started, the last one first. */
export async function startAll<Started extends object>(
	start: (cleanUps: CleanUps) => Promise<Started>,
): Promise<Started & { stop: () => Promise<void> }> {
	const cleanUps: CleanUps = [];
	const stop = async () => {
		for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
	};
	try {
		return { ...(await start(cleanUps)), stop };
	} catch (error) {
		await stop();
		throw error;
	}
}

/** Creates a folder for the time that something runs. */
export async function temporaryFolder(cleanUps: CleanUps): Promise<string> {
	const folder = await mkdtemp(join(tmpdir(), 'class-enrollment-'));
	cleanUps.push(async () => await rm(folder, { recursive: true, force: true }));
	return folder;
}

/** The n8n of a world. Only one that the tests have started has a user folder, and can crash. */
interface N8nOfWorld {
	session: Session;
	userFolder: string;
	crash: () => Promise<void>;
	restart: () => Promise<void>;
}

/** Starts an n8n with the package and an owner. `env` are additional settings of n8n. */
async function startOwnN8n(cleanUps: CleanUps, env: N8nOptions['env']): Promise<N8nOfWorld> {
	const userFolder = await createUserFolder();
	cleanUps.push(async () => await rm(userFolder, { recursive: true, force: true }));
	const start = async (port?: number) => {
		const n8n = await startN8n(preparation().n8n, { userFolder, env, port });
		cleanUps.push(n8n.stop, keepLogOnFailure(n8n));
		return n8n;
	};
	let running = await start();
	const session = await openSession(running.url);
	return {
		session,
		userFolder,
		async crash() {
			process.kill(running.pid, 'SIGKILL');
			await running.ended;
		},
		async restart() {
			running = await start(Number(new URL(session.url).port));
		},
	};
}

/** Enters the n8n that is already running, if there is one. It is left as it was found. */
async function enterN8n(
	cleanUps: CleanUps,
	env: N8nOptions['env'],
): Promise<N8nOfWorld | undefined> {
	const saved = process.env[SESSION_VARIABLE];
	if (!saved) return undefined;
	const session = JSON.parse(saved) as Session;
	const cannot = () => {
		throw new Error('These tests need an n8n that they start themselves.');
	};
	if (env) cannot();
	cleanUps.push(await leaveAsFound(session));
	return { session, userFolder: '', crash: cannot, restart: cannot };
}

/**
 * Starts the stand-in for the service, and an n8n with the package, an owner and a credential for the service, unless
 * one is already running. `env` are additional settings of n8n.
 */
export async function startWorld({ env }: Pick<N8nOptions, 'env'> = {}) {
	return await startAll(async (cleanUps) => {
		const service = await startService();
		cleanUps.push(service.close);
		const { session, userFolder, crash, restart } =
			(await enterN8n(cleanUps, env)) ?? (await startOwnN8n(cleanUps, env));
		const access = pick(service, ['baseUrl', 'accessToken']);
		const credential = await createCredential(session, CREDENTIAL_TYPE, 'Class Enrollment', access);
		return {
			n8n: { url: session.url },
			session,
			service,
			credential,
			userFolder,
			/** Kills n8n, as a power failure does. */
			crash,
			/** Starts n8n again after a crash, at the same address and with the same database. */
			restart,
		};
	});
}
