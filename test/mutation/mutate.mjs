// Changes the built code in many small ways and runs tests for each: a change that no test notices is a gap.
// `npm run mutate -- nodes/ClassEnrollment/values/email.ts nodes/ClassEnrollment/trigger` does only these, and `--force`
// tries again what an earlier run has noticed.
import { Stryker } from '@stryker-mutator/core';
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';

const BUILT = 'dist/nodes/ClassEnrollment';
const OUTPUT = 'test/mutation/output';
const INCREMENTAL = `${OUTPUT}/incremental.json`;
const LOWEST_SCORE = 93;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { force: { type: 'boolean', default: false } },
});

/** The built files of a folder, or the file. The lists of what there is contain nothing but what the compiler adds. */
function filesIn(path) {
	if (statSync(path).isFile()) return [path];
	return readdirSync(path, { recursive: true })
		.filter((name) => name.endsWith('.js') && !name.endsWith('index.js'))
		.map((name) => join(path, name));
}

const folders = readdirSync(BUILT).filter((name) => !name.includes('.'));
const wanted = (positionals.length > 0 ? positionals : folders.map((name) => `${BUILT}/${name}`))
	.map((path) => path.replace(/^(\.\/)?nodes\b/, 'dist/nodes').replace(/\.ts$/, '.js'))
	.filter((path) => filesIn(path).length > 0);

/** The lines of a built file that follow what the compiler adds. */
function ownLines(file) {
	const lines = readFileSync(file, 'utf8').split('\n');
	const helpersEnd = lines.findIndex((line) => line.includes('"__esModule"')) + 1;
	return `${file}:${helpersEnd + 1}-${lines.length}`;
}

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
		file.mutants = file.mutants.filter(({ status }) => /Killed|Timeout/.test(status));
	}
	writeFileSync(INCREMENTAL, JSON.stringify(report));
}

if (existsSync(INCREMENTAL) && !values.force) forgetUnnoticed();
process.env.MUTATION_TESTS = ['step', 'routing'].flatMap(testsOf).join(',');

/** Changes the files of a folder, or a file. By themselves: where more can be changed, all tests take longer. */
async function mutate(path) {
	const results = await new Stryker({
		mutate: filesIn(path).map(ownLines),
		// The wording is not the point.
		mutator: { excludedMutations: ['StringLiteral'] },
		// Nor are descriptions and other data that are made when the package is loaded.
		ignoreStatic: true,
		testRunner: 'jest',
		coverageAnalysis: 'perTest',
		jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
		incremental: true,
		incrementalFile: INCREMENTAL,
		force: values.force,
		// The environment ends what takes long, but for loops that never pause.
		timeoutMS: 60_000,
		timeoutFactor: 0,
		disableTypeChecks: false,
		ignorePatterns: ['/demo', '/docs', '/scan', `/${OUTPUT}`],
		reporters: ['clear-text', 'progress-append-only', 'html'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		htmlReporter: { fileName: `${OUTPUT}/report.html` },
		allowConsoleColors: false,
	}).runMutationTest();
	// The others are those of earlier runs.
	const isHere = ({ fileName }) => relative('.', fileName).startsWith(path);
	return results.filter((result) => isHere(result) && !/Ignored|Error/.test(result.status));
}

/** Says which changes were not noticed, and in `isTooLow` whether they are too many. */
function summarize(path, results) {
	const unnoticed = results.filter(({ status }) => status !== 'Killed' && status !== 'Timeout');
	const score = (100 * (results.length - unnoticed.length)) / results.length;
	const title = `${path}: ${score.toFixed(1)} % of ${results.length} changes were noticed`;
	const lines = unnoticed.map(({ fileName, location: { start }, replacement }) => {
		return `  ${relative('.', fileName)}:${start.line}:${start.column} ${replacement}`;
	});
	return { text: [title, ...lines].join('\n'), isTooLow: score < LOWEST_SCORE };
}

const summaries = [];
for (const path of wanted) summaries.push(summarize(path, await mutate(path)));
for (const { text } of summaries) console.log(text);
if (summaries.some(({ isTooLow }) => isTooLow)) process.exitCode = 1;
