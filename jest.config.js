// Parts of n8n-core's dependencies come as ES modules, which jest does not load from CommonJS.
const ES_MODULES = ['p-retry', 'is-network-error', 'uuid'];
const compile = ['ts-jest', { tsconfig: 'test/tsconfig.json', diagnostics: false }];

/** @type {import('jest').Config} */
module.exports = {
	testEnvironment: 'node',
	transform: { '\\.ts$': compile, [`/node_modules/(${ES_MODULES.join('|')})/.*\\.js$`]: compile },
	transformIgnorePatterns: [`/node_modules/(?!(${ES_MODULES.join('|')})/)`],
	testMatch: ['<rootDir>/test/{unit,workflow}/**/*.test.ts'],
	modulePathIgnorePatterns: ['<rootDir>/demo/', '<rootDir>/dist/'],
	testTimeout: 20_000,
	// n8n-core keeps a timer running that it stops only when the process ends.
	forceExit: true,
};
