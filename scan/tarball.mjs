import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 60_000;
const NOT_BUILT = ['LICENSE.md', 'README.md', 'package.json'];

/**
 * Packs the package into a folder and unpacks it there. It has to be small, and to hold what is built of the source
 * as it is now and nothing else.
 */
export function pack(root, work) {
	const [{ filename, files, size }] = JSON.parse(
		execFileSync(
			'npm',
			['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', work],
			{
				cwd: root,
				encoding: 'utf8',
				stdio: ['ignore', 'pipe', 'inherit'],
				shell: process.platform === 'win32',
			},
		),
	);
	execFileSync('tar', ['-xzf', filename], { cwd: work });

	const held = files.map(({ path }) => path);
	const due = [...NOT_BUILT, ...builtFiles(root)];
	const missing = due.filter((path) => !held.includes(path));
	const surplus = held.filter((path) => !due.includes(path));
	const problems = [];
	if (missing.length > 0)
		problems.push(`The tarball lacks ${listed(missing)}. Build the package: npm run build`);
	if (surplus.length > 0)
		problems.push(`The tarball holds ${listed(surplus)}, of no source file. Remove dist, build.`);
	if (size > MAX_BYTES)
		problems.push(`The tarball has ${size} bytes, more than the ${MAX_BYTES} that it may have.`);

	return {
		folder: join(work, 'package'),
		summary: `${files.length} files, ${Math.round(size / 1000)} kB`,
		problems,
	};
}

/** The paths of what a build makes of the source. */
function builtFiles(root) {
	return ['credentials', 'icons', 'nodes'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join('dist', parentPath.slice(root.length + 1), name))
			.map((path) => path.replaceAll('\\', '/').replace(/\.ts$/, '.js')),
	);
}

function listed(paths) {
	const [first, ...others] = paths;
	return others.length === 0 ? first : `${first} and ${others.length} more`;
}
