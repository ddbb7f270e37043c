import { copyFile, cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';

import { installPackage, packPackage } from '../n8n/communityPackage';
import { ensureN8n, type N8nInstall } from '../n8n/install';
import { startN8n, type N8nServer } from '../n8n/server';
import { openSession, type Session } from '../n8n/session';
import { createCredential, type CredentialReference } from '../n8n/workflows';
import { startService, type Service } from '../service/service';
import { keepOnFailure } from './evidence';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';
export const NODE_TYPE = 'n8n-nodes-class-enrollment.classEnrollment';
export const TRIGGER_TYPE = 'n8n-nodes-class-enrollment.classEnrollmentTrigger';

/** What all worlds of a run share. */
export interface Preparation {
	n8n: N8nInstall;
	/** Holds a folder for each world; removed at the end of the run. */
	folder: string;
	/** A user folder with nothing but the package in it. */
	template: string;
}

export interface World {
	n8n: N8nServer;
	session: Session;
	service: Service;
	/** For the service, with its token. */
	credential: CredentialReference;
	userFolder: string;
	/** Ends what was started and removes the user folder. */
	stop: () => Promise<void>;
}

export interface WorldOptions {
	/** Settings of n8n besides the usual ones. */
	env?: Record<string, string>;
}

const VARIABLE = 'CLASS_ENROLLMENT_E2E';

/** Installs n8n where it is not yet, packs the package, and installs it into a user folder to copy. */
export async function prepareWorlds(): Promise<string> {
	const n8n = await ensureN8n();
	const folder = await mkdtemp(join(tmpdir(), 'class-enrollment-e2e-'));
	const template = join(folder, 'template');
	await installPackage(await packPackage(folder), template);
	const preparation: Preparation = { n8n, folder, template };
	process.env[VARIABLE] = JSON.stringify(preparation);
	return folder;
}

export async function removeWorlds(): Promise<void> {
	await rm(preparation().folder, { recursive: true, force: true });
}

/** What was prepared for this run. */
export function preparation(): Preparation {
	const text = process.env[VARIABLE];
	if (!text) throw new Error('Nothing is prepared: call prepareWorlds first.');
	return JSON.parse(text) as Preparation;
}

/** A new user folder for n8n, with the package installed. */
export async function createUserFolder(): Promise<string> {
	const { folder, template } = preparation();
	const userFolder = await mkdtemp(join(folder, 'user-'));
	await cp(template, userFolder, { recursive: true });
	return userFolder;
}

/** Keeps the log of an n8n when a test fails, until the returned function is called. */
export function keepLogOnFailure({ logFile }: Pick<N8nServer, 'logFile'>): () => void {
	return keepOnFailure(async (folder) => {
		await copyFile(logFile, join(folder, basename(logFile)));
	});
}

/** Starts an n8n of its own with the package, its owner, the stand-in service, and a credential for it. */
export async function startWorld(options: WorldOptions = {}): Promise<World> {
	const steps: Array<() => unknown> = [];
	const stop = async () => {
		for (const step of steps.splice(0).reverse()) await step();
	};
	try {
		const userFolder = await createUserFolder();
		steps.push(async () => await rm(userFolder, { recursive: true, force: true }));
		const service = await startService();
		steps.push(service.close);
		const n8n = await startN8n(preparation().n8n, { userFolder, env: options.env });
		steps.push(n8n.stop, keepLogOnFailure(n8n));

		const session = await openSession(n8n.url);
		const { baseUrl, accessToken } = service;
		const credential = await createCredential(session, CREDENTIAL_TYPE, 'Class Enrollment', {
			baseUrl,
			accessToken,
		});
		return { n8n, session, service, credential, userFolder, stop };
	} catch (error) {
		await stop();
		throw error;
	}
}
