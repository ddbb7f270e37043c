// Changes the built code in many small ways and runs tests for each: a change that no test notices is a gap.
// `npm run mutate -- nodes/ClassEnrollment/values/email.ts nodes/ClassEnrollment/trigger` does only these, and `--force`
// tries again what an earlier run has noticed.
import { Stryker } from '@stryker-mutator/core';
import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { parseArgs } from 'node:util';

const BUILT = 'dist/nodes/ClassEnrollment';
const OUTPUT = 'test/mutation/output';
const INCREMENTAL = `${OUTPUT}/incremental.json`;
const LOWEST_SCORE = 93;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: {
		concurrency: { type: 'string', default: '2' },
		force: { type: 'boolean', default: false },
	},
});

/** The built files or folders. */
const wanted = (positionals.length > 0 ? positionals : ['nodes/ClassEnrollment']).map((path) =>
	path.replace(/^(\.\/)?nodes\b/, 'dist/nodes').replace(/\.ts$/, '.js'),
);

/** The test files of a way to run the node, as jest finds them. */
function testsOf(way) {
	const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
	const list = [jest, '--listTests', '--json', '--selectProjects', way];
	return (
		JSON.parse(execFileSync(process.execPath, list))
			// Properties take many cases to notice something. A second copy is loaded in the tests: all data would count.
			.filter((file) => !/\.property\.|secondCopy|unit\/contract/.test(file))
			// Short ones first: they take less time, and are about less.
			.sort((a, b) => statSync(a).size - statSync(b).size)
			.map((file) => `${way} ${relative('test', file)}`)
	);
}

/** Lets Stryker try again what earlier runs did not notice: a test may have been edited since. */
function forgetUnnoticed() {
	const report = JSON.parse(readFileSync(INCREMENTAL, 'utf8'));
	for (const file of Object.values(report.files)) {
		file.mutants = file.mutants.filter(({ status }) => status !== 'Survived');
	}
	writeFileSync(INCREMENTAL, JSON.stringify(report));
}

if (existsSync(INCREMENTAL) && !values.force) forgetUnnoticed();
process.env.MUTATION_TESTS = ['step', 'routing'].flatMap(testsOf).join(',');
const results = await new Stryker({
	// The lists of what there is contain nothing but what the compiler adds.
	mutate: [
		...wanted.map((path) => (path.endsWith('.js') ? path : `${path}/**/*.js`)),
		'!**/index.js',
	],
	// The wording is not the point.
	mutator: { excludedMutations: ['StringLiteral'] },
	// Nor are descriptions and other data that are made when the package is loaded.
	ignoreStatic: true,
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
	concurrency: Number(values.concurrency),
	incremental: true,
	incrementalFile: INCREMENTAL,
	force: values.force,
	// The environment ends what takes long, but for loops that never pause.
	timeoutMS: 60_000,
	timeoutFactor: 0,
	disableTypeChecks: false,
	ignorePatterns: ['/demo', '/docs', '/scan', `/${OUTPUT}`],
	reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: `${OUTPUT}/report.html` },
	jsonReporter: { fileName: `${OUTPUT}/report.json` },
	allowConsoleColors: false,
}).runMutationTest();

const rooms = {};
for (const { fileName, status, location, replacement } of results) {
	const file = relative('.', fileName);
	// Earlier runs tried the others.
	if (/Ignored|Error/.test(status) || !wanted.some((path) => file.startsWith(path))) continue;
	const [folder, name] = relative(BUILT, file).split('/');
	const room = (rooms[name ? folder : '.'] ??= { all: 0, unnoticed: [] });
	room.all++;
	if (status === 'Killed' || status === 'Timeout') continue;
	room.unnoticed.push(`  ${file}:${location.start.line}:${location.start.column} ${replacement}`);
}
for (const [name, { all, unnoticed }] of Object.entries(rooms)) {
	const score = (100 * (all - unnoticed.length)) / all;
	console.log(`${name}: ${score.toFixed(1)} % of ${all} changes were noticed`);
	console.log(unnoticed.join('\n'));
	if (score < LOWEST_SCORE) process.exitCode = 1;
}
