/**
 * Scans the built package like n8n does before it verifies a community node: the source, and the tarball to publish.
 * The scanner needs `overrides`, which n8n does not allow in the package itself, so it is installed in this folder on
 * first use.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

import { pack } from './tarball.mjs';

const HERE = dirname(fileURLToPath(import.meta.url));
const ROOT = dirname(HERE);
const SOURCE = ['package.json', 'README.md', 'LICENSE.md', 'credentials', 'icons', 'nodes'];
// What n8n scans in a tarball. The scanner exports the patterns for the source.
const TARBALL_FILE_PATTERNS = ['package.json', '**/*.js'];

install();
const work = mkdtempSync(join(tmpdir(), 'class-enrollment-scan-'));
process.once('exit', () => rmSync(work, { recursive: true, force: true }));
// The scanner leaves an empty folder in the temporary folder.
Object.assign(process.env, { TMPDIR: work, TEMP: work });
const { analyzePackage, buildScanConfig, SOURCE_FILE_PATTERNS } =
	await import('@n8n/scan-community-package/scanner/scanner.mjs');
const { ESLint } = await import('eslint');

const source = join(work, 'source');
for (const name of SOURCE) cpSync(join(ROOT, name), join(source, name), { recursive: true });
const tarball = pack(ROOT, work);
const problems = [
	...tarball.problems,
	...(await scan('source', source, SOURCE_FILE_PATTERNS)),
	...(await scan('tarball', tarball.folder, TARBALL_FILE_PATTERNS)),
];
if (problems.length > 0) {
	console.error(problems.join('\n'));
	process.exitCode = 1;
} else {
	console.log(`Scanned the source and the tarball (${tarball.summary}): no errors, no warnings.`);
}

/** Returns n8n's errors for a folder, or the warnings that n8n ignores if there are no errors. */
async function scan(name, folder, patterns) {
	const problem = (text) => [`n8n's scanner on the ${name}: ${text.replaceAll(folder + sep, '')}`];
	const { passed, message, details = '' } = await analyzePackage(folder, patterns);
	if (!passed || message) return problem(`${message}\n${details}`);

	const eslint = new ESLint({
		cwd: folder,
		allowInlineConfig: false,
		overrideConfigFile: true,
		overrideConfig: await buildScanConfig(),
		errorOnUnmatchedPattern: false,
	});
	const results = await eslint.lintFiles(patterns);
	if (results.every(({ messages }) => messages.length === 0)) return [];
	const { format } = await eslint.loadFormatter('stylish');
	return problem(`warnings\n${await format(results)}`);
}

/** Installs the scanner, unless it is installed from the same lock file. */
function install() {
	const stamp = join(HERE, 'node_modules/.installed');
	const lock = readFileSync(join(HERE, 'package-lock.json'));
	const key = createHash('sha256').update(lock).digest('hex');
	if (existsSync(stamp) && readFileSync(stamp, 'utf8') === key) return;

	console.log("Installing n8n's scanner (85 MB, once)");
	execFileSync('npm', ['ci', '--prefix', HERE, '--loglevel=error'], {
		cwd: HERE,
		stdio: 'inherit',
	});
	writeFileSync(stamp, key);
}
