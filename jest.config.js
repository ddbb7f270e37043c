// N8N_MODULES: the node_modules folder of another n8n, to run the workflow tests in its engine instead of the oldest
// supported one. N8N_WAY: `step` or `routing`, to run the tests in this way only.
const { N8N_WAY } = process.env;
// Of hints, triggers and the editor's lists, which only steps or other functions of n8n have.
const NOT_BY_ROUTING = 'workflow/(hints|lists|schemas|trigger)';

/** @type {import('jest').Config} */
const step = {
	displayName: 'step',
	globals: { N8N_WAY: 'step' },
	testEnvironment: require.resolve('./test/clock/environment.js'),
	// What is shared with the process must stay when an environment goes.
	testEnvironmentOptions: { globalsCleanup: 'off' },
	runtime: require.resolve('./test/clock/runtime.js'),
	globalSetup: '<rootDir>/test/checkBuild.js',
	transform: { '\\.ts$': ['ts-jest', { tsconfig: 'test/tsconfig.json', diagnostics: false }] },
	testMatch: ['<rootDir>/{probe,test/{simulation,unit,workflow}}/**/*.test.ts'],
	modulePathIgnorePatterns: [
		'<rootDir>/test/n8n/node_modules/',
		'<rootDir>/dist/',
		'<rootDir>/dist-new/',
		'<rootDir>/.stryker-tmp/',
	],
};
/** The same tests once more, run by n8n's routing, as Engine 2.0, n8n's Agents and MCP run the node. */
const routing = {
	...step,
	displayName: 'routing',
	globals: { N8N_WAY: 'routing' },
	testMatch: ['<rootDir>/test/workflow/**/*.test.ts'],
	testPathIgnorePatterns: [NOT_BY_ROUTING],
};

module.exports = {
	projects: [step, routing].filter(({ displayName }) => (N8N_WAY ?? displayName) === displayName),
	// The time of tests is that of their own clock. Only what hangs takes so long, however slow the machine is.
	testTimeout: 300_000,
	maxWorkers: '100%',
};
