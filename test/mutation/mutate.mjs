// Changes the built code in many small ways and runs tests for each: a change that no test notices is a gap.
// `npm run mutate -- nodes/ClassEnrollment/values/email.ts nodes/ClassEnrollment/trigger` does only these.
import { Stryker } from '@stryker-mutator/core';
import { readdirSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { PARTS, ROUTING } from './parts.js';

const BUILT = 'dist/nodes/ClassEnrollment';
const OUTPUT = 'test/mutation/output';
const LOWEST_SCORE = 90;

const { values, positionals } = parseArgs({
	allowPositionals: true,
	options: { concurrency: { type: 'string', default: '1' } },
});

/** A source file or folder as it is called in the built code. */
const toBuilt = (path) => path.replace(/^(\.\/)?nodes\b/, 'dist/nodes').replace(/\.ts$/, '.js');

/** The first one that its path begins with. */
const partOf = (file) => Object.keys(PARTS).find((part) => file.startsWith(part));

const wanted = positionals.map(toBuilt);
const files = readdirSync(BUILT, { recursive: true })
	.map((file) => file.replaceAll('\\', '/'))
	// The lists of what there is contain nothing but what the compiler adds.
	.filter((file) => file.endsWith('.js') && !file.endsWith('index.js'))
	.filter(
		(file) => wanted.length === 0 || wanted.some((path) => `${BUILT}/${file}`.startsWith(path)),
	);

const results = [];
for (const [part, tests] of Object.entries(PARTS)) {
	const ofPart = files.filter((file) => partOf(file) === part);
	if (ofPart.length > 0) results.push(...(await run(part, tests, ofPart)));
}

const count = (...statuses) => results.filter(({ status }) => statuses.includes(status)).length;
const noticed = count('Killed', 'Timeout');
const all = noticed + count('Survived', 'NoCoverage');
const score = (100 * noticed) / all;
console.log(`${noticed} of ${all} changes were noticed (${score.toFixed(1)} %).`);
if (wanted.length === 0 && score < LOWEST_SCORE) process.exitCode = 1;

async function run(part, tests, inPart) {
	process.env.MUTATION_TESTS = tests.join(' ');
	process.env.N8N_WAY = part === ROUTING ? 'routing' : 'step';
	const name = part.replace('/', '-');
	return await new Stryker({
		mutate: inPart.map((file) => `${BUILT}/${file}`),
		// The wording is not the point.
		mutator: { excludedMutations: ['StringLiteral'] },
		// Nor are descriptions and other data that are made when the package is loaded.
		ignoreStatic: true,
		testRunner: 'jest',
		coverageAnalysis: 'perTest',
		jest: { configFile: 'test/mutation/jest.config.js', enableFindRelatedTests: false },
		concurrency: Number(values.concurrency),
		timeoutMS: 10_000,
		timeoutFactor: 2,
		disableTypeChecks: false,
		ignorePatterns: ['/demo', '/docs', '/examples', '/scan', '/test/{bench,e2e}', `/${OUTPUT}`],
		reporters: ['clear-text', 'progress-append-only', 'html', 'json'],
		clearTextReporter: { allowColor: false, logTests: false, reportTests: false },
		htmlReporter: { fileName: `${OUTPUT}/${name}.html` },
		jsonReporter: { fileName: `${OUTPUT}/${name}.json` },
		allowConsoleColors: false,
	}).runMutationTest();
}
