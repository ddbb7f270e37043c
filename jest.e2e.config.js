const {
	projects: [shared],
} = require('./jest.config.js');

// Tests an n8n that is already running, if this is set: see test/n8n/running.ts.
const isRunning = Boolean(process.env.CLASS_ENROLLMENT_N8N_URL);
// These start an n8n with settings of its own, or several, or kill it.
const START_N8N =
	'e2e/(blockedAddress|engine2|migrationReport|newestEngine|queueMode|trigger)|class-access';

// Not a project of jest.config.js: jest has one test timeout, and one maxWorkers, for all projects.
/** @type {import('jest').Config} */
module.exports = {
	...shared,
	displayName: 'e2e',
	testEnvironment: '<rootDir>/test/e2e/environment.ts',
	testMatch: ['<rootDir>/{test/e2e,examples}/**/*.test.ts'],
	testPathIgnorePatterns: isRunning ? [START_N8N] : [],
	globalSetup: '<rootDir>/test/e2e/setup.ts',
	// A slow machine is no failure. What a test waits for has a limit of its own, with a better message.
	testTimeout: 900_000,
	// Most tests wait for n8n or for the next poll.
	maxWorkers: isRunning ? 1 : 2,
	testSequencer: '<rootDir>/test/e2e/longestFirst.js',
	verbose: true,
};
