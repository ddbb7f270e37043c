import { execFile } from 'node:child_process';
import { access, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const ROOT = resolve(__dirname, '../..');

export interface PackageJson {
	name: string;
	version: string;
	n8n?: { nodes?: string[] };
	[field: string]: unknown;
}

/** Packs a built package, as for publishing, and returns the path of the tarball. */
export async function packPackage(targetFolder: string, packageFolder = ROOT): Promise<string> {
	const { n8n } = await readPackageJson(packageFolder);
	for (const node of n8n?.nodes ?? []) {
		await access(join(packageFolder, node)).catch(() => {
			throw new Error(
				`The package is not built yet (${node} is missing): run npm run build first.`,
			);
		});
	}
	await mkdir(targetFolder, { recursive: true });
	const options = ['--ignore-scripts', '--json', '--loglevel=error'];
	const args = ['pack', ...options, '--pack-destination', targetFolder];
	const { stdout } = await run('npm', args, { cwd: packageFolder });
	const [{ filename }] = JSON.parse(stdout) as [{ filename: string }];
	return join(targetFolder, filename);
}

/**
 * Installs a tarball as a community package, with the same steps as n8n's CommunityPackagesService:
 * unpack, remove what is not for production, install, add to package.json.
 */
export async function installPackage(tarball: string, userFolder: string): Promise<string> {
	const nodesFolder = join(userFolder, '.n8n/nodes');
	const unpacked = join(nodesFolder, 'unpacked');
	await rm(unpacked, { recursive: true, force: true });
	await mkdir(unpacked, { recursive: true });
	await run('tar', ['-xzf', tarball, '-C', unpacked, '--strip-components=1']);

	const { devDependencies, peerDependencies, optionalDependencies, ...packageJson } =
		await readPackageJson(unpacked);
	const target = join(nodesFolder, 'node_modules', packageJson.name);
	await rm(target, { recursive: true, force: true });
	await mkdir(dirname(target), { recursive: true });
	await rename(unpacked, target);
	await writeJson(join(target, 'package.json'), packageJson);
	const flags = ['--no-audit', '--no-fund', '--no-bin-links', '--no-package-lock'];
	const options = [...flags, '--install-strategy=shallow', '--ignore-scripts'];
	await run('npm', ['install', ...options], { cwd: target });
	await writeJson(join(nodesFolder, 'package.json'), {
		name: 'installed-nodes',
		private: true,
		dependencies: { [packageJson.name]: packageJson.version },
	});
	return target;
}

/** Reads the package.json of a package. */
export async function readPackageJson(folder: string): Promise<PackageJson> {
	return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as PackageJson;
}

const writeJson = async (file: string, content: object) =>
	await writeFile(file, JSON.stringify(content, null, 2));
