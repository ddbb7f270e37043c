const shared = require('./jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...shared,
	testEnvironment: '<rootDir>/test/e2e/environment.ts',
	testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
	globalSetup: '<rootDir>/test/e2e/setup.ts',
	globalTeardown: '<rootDir>/test/e2e/teardown.ts',
	// Nothing is left running.
	forceExit: false,
	// A start of n8n and a test in its editor take their time.
	testTimeout: 120_000,
	maxWorkers: 1,
	verbose: true,
};
