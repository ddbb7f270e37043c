const {
	projects: [shared],
} = require('./jest.config.js');

// Not a project of jest.config.js: jest has one test timeout, and one maxWorkers, for all projects.
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	displayName: 'e2e',
	testEnvironment: '<rootDir>/test/e2e/environment.ts',
	testMatch: ['<rootDir>/{test/e2e,examples}/**/*.test.ts'],
	globalSetup: '<rootDir>/test/e2e/setup.ts',
	// A slow machine is no failure. What a test waits for has a limit of its own, with a better message.
	testTimeout: 900_000,
	// Most tests wait for n8n or for the next poll.
	maxWorkers: 2,
	testSequencer: '<rootDir>/test/e2e/longestFirst.js',
	verbose: true,
};
