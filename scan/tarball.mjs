import { execFileSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const MAX_BYTES = 60_000;
const UNBUILT = ['LICENSE.md', 'README.md', 'package.json'];

/**
 * Packs the package into a folder and unpacks it there. The tarball must be small, and contain a file for every source
 * file and nothing else.
 */
export function pack(root, work) {
	const [{ filename, files, size }] = JSON.parse(
		execFileSync(
			'npm',
			['pack', '--json', '--ignore-scripts', '--loglevel=error', '--pack-destination', work],
			{ cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] },
		),
	);
	execFileSync('tar', ['-xzf', filename], { cwd: work });

	const packed = files.map(({ path }) => path);
	const expected = [...UNBUILT, ...builtFiles(root)];
	const missing = expected.filter((path) => !packed.includes(path));
	const unexpected = packed.filter((path) => !expected.includes(path));
	const problems = [];
	if (missing.length > 0)
		problems.push(`The tarball does not contain ${list(missing)}. Run npm run build first.`);
	if (unexpected.length > 0)
		problems.push(
			`The tarball contains ${list(unexpected)}, which has no source file. Remove dist and build again.`,
		);
	if (size > MAX_BYTES) problems.push(`The tarball has ${size} bytes. The limit is ${MAX_BYTES}.`);

	return {
		folder: join(work, 'package'),
		summary: `${files.length} files, ${Math.round(size / 1000)} kB`,
		problems,
	};
}

/** The paths of all files that a build creates. */
function builtFiles(root) {
	return ['credentials', 'icons', 'nodes'].flatMap((folder) =>
		readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
			.filter((entry) => entry.isFile())
			.map(({ parentPath, name }) => join('dist', parentPath.slice(root.length + 1), name))
			.map((path) => path.replace(/\.ts$/, '.js')),
	);
}

function list(paths) {
	const [first, ...others] = paths;
	return others.length === 0 ? first : `${first} and ${others.length} more`;
}
