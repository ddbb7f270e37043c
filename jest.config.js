// Some of n8n-core's dependencies are ES modules, which jest does not load from CommonJS.
const ES_MODULES = ['p-retry', 'is-network-error', 'uuid'];
const compile = ['ts-jest', { tsconfig: 'test/tsconfig.json', diagnostics: false }];
// The node_modules folder of another n8n, to run the workflow tests in its engine instead of the oldest supported one.
const { N8N_MODULES } = process.env;

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: require.resolve('./test/clock/environment.js'),
	globalSetup: '<rootDir>/test/checkBuild.js',
	transform: { '\\.ts$': compile, [`/node_modules/(${ES_MODULES.join('|')})/.*\\.js$`]: compile },
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
	moduleNameMapper: N8N_MODULES ? { '^n8n-(core|workflow)$': `${N8N_MODULES}/n8n-$1` } : {},
	testMatch: ['<rootDir>/test/{unit,workflow}/**/*.test.ts'],
	modulePathIgnorePatterns: [
		'<rootDir>/test/n8n/node_modules/',
		'<rootDir>/dist/',
		'<rootDir>/dist-new/',
		'<rootDir>/.stryker-tmp/',
	],
	testTimeout: 20_000,
	maxWorkers: '100%',
	// n8n-core keeps a timer running until the process ends.
	forceExit: true,
};
