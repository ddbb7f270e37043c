import { execFileSync } from 'node:child_process';
import { statSync } from 'node:fs';
import { relative } from 'node:path';

const OF_EXAMPLES =
	/unit\/(bulkImport|byHand|classAccess|endOfAccess|endsSoon|examples|reading|shops|templates|githubActions)/;
const isUnit = (file) => file.startsWith('unit');
const sizeOf = (file) => statSync(`test/${file}`).size;

/** The test files of a way to run the node, as jest finds them. */
function testsOf(way) {
	const list = ['node_modules/jest/bin/jest.js', '--listTests', '--json', '--selectProjects', way];
	return (
		JSON.parse(execFileSync(process.execPath, list))
			// Properties take many cases to notice something. A second copy is loaded in the tests: all data would count.
			.filter((file) => !/\.property\.|secondCopy|unit\/contract|probe\.test/.test(file))
			// Those of the examples do not run the node.
			.filter((file) => !OF_EXAMPLES.test(file))
			.map((file) => relative('test', file))
			// Those of single functions first, then short ones: they take less time, and are about less.
			.sort((a, b) => Number(isUnit(b)) - Number(isUnit(a)) || sizeOf(a) - sizeOf(b))
			.map((file) => `${way} ${file}`)
	);
}

process.env.MUTATION_TESTS ??= ['step', 'routing'].flatMap(testsOf).join(',');

/** @type {import('@stryker-mutator/api/core').PartialStrykerOptions} */
export default {
	mutate: ['nodes/ClassEnrollment/*/**/*.ts', '!**/index.ts'],
	// The wording is not the point.
	mutator: { excludedMutations: ['StringLiteral'] },
	// Nor are descriptions and other data that are made when the package is loaded.
	ignoreStatic: true,
	buildCommand: 'gulp -L',
	disableTypeChecks: 'nodes/**/*.ts',
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
	timeoutMS: 20_000,
	ignorePatterns: ['/demo', '/docs', '/scan', '/test/n8n/node_modules'],
	plugins: ['@stryker-mutator/*', './test/mutation/folders.mjs'],
	reporters: ['clear-text', 'progress-append-only', 'html', 'folders'],
	clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: 'test/mutation/output/report.html' },
	allowConsoleColors: false,
};
