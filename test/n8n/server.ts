import { mkdir } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';

import type { N8nInstall } from './install';
import { freePort } from './ports';
import { start, stop } from './processes';
import { waitUntilReady } from './waiting';

export interface N8nOptions {
	/** The folder for n8n's own folder `.n8n`: settings, database, community packages. */
	userFolder: string;
	/** What to run. A worker needs the settings of the queue in `env`. */
	command?: 'start' | 'worker';
	/** The port of the editor and the API; the default is a free one. */
	port?: number;
	env?: Record<string, string>;
}

export type N8nServer = Awaited<ReturnType<typeof startN8n>>;

const HOST = '127.0.0.1';

/** The only environment variables passed on to n8n; others could change how it behaves. */
const INHERITED = ['HOME', 'TMPDIR', 'LANG'];

/** The settings of every n8n that is tested. */
export const SETTINGS = {
	N8N_HOST: HOST,
	N8N_LISTEN_ADDRESS: HOST,
	N8N_RUNNERS_BROKER_LISTEN_ADDRESS: HOST,
	N8N_SECURE_COOKIE: 'false',
	N8N_UNVERIFIED_PACKAGES_ENABLED: 'true',
	// Nothing leaves this machine.
	N8N_DIAGNOSTICS_ENABLED: 'false',
	N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	N8N_TEMPLATES_ENABLED: 'false',
	N8N_VERIFIED_PACKAGES_ENABLED: 'false',
	N8N_LICENSE_AUTO_RENEW_ENABLED: 'false',
	N8N_DISABLED_MODULES: 'mcp-registry',
	N8N_DYNAMIC_BANNERS_ENABLED: 'false',
	// The editor shows no surveys and no ads.
	N8N_PERSONALIZATION_ENABLED: 'false',
	N8N_HIRING_BANNER_ENABLED: 'false',
};

/** Starts n8n and waits until it responds. */
export async function startN8n(install: N8nInstall, options: N8nOptions) {
	const command = options.command ?? 'start';
	const port = options.port ?? (await freePort('n8n'));
	const brokerPort = await freePort('n8n');
	const url = `http://${HOST}:${port}`;
	await mkdir(options.userFolder, { recursive: true });
	const logFile = join(options.userFolder, `${command}-${port}.log`);

	const child = start(install.node, [install.script, command], {
		cwd: options.userFolder,
		env: {
			...Object.fromEntries(INHERITED.map((name) => [name, process.env[name]])),
			...SETTINGS,
			// n8n starts the runner of Code nodes as `node`.
			PATH: [dirname(install.node), process.env.PATH].join(delimiter),
			N8N_USER_FOLDER: options.userFolder,
			N8N_PORT: String(port),
			N8N_RUNNERS_BROKER_PORT: String(brokerPort),
			...(command === 'worker' && {
				QUEUE_HEALTH_CHECK_ACTIVE: 'true',
				QUEUE_HEALTH_CHECK_PORT: String(port),
			}),
			...options.env,
		},
		logFile,
	});
	/** Resolves when the process has ended, for whatever reason. */
	const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));

	await waitUntilReady(child, logFile, async () => {
		await expectJson(`${url}/healthz/readiness`);
		if (command === 'start') await expectJson(`${url}/rest/settings`);
	});
	return { url, pid: child.pid as number, logFile, ended, stop: async () => await stop(child) };
}

async function expectJson(url: string): Promise<void> {
	const { ok, status, headers } = await fetch(url, { signal: AbortSignal.timeout(5_000) });
	const isJson = headers.get('content-type')?.includes('json');
	if (!ok || !isJson) throw new Error(`${url} answered with ${status}`);
}
