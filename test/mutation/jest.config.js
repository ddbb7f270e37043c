const { resolve } = require('node:path');
const {
	projects: [shared],
} = require('../../jest.config.js');

/** @type {import('jest').Config} */
module.exports = {
	...shared,
	displayName: 'mutation',
	testTimeout: 300_000,
	rootDir: resolve(__dirname, '../..'),
	roots: ['<rootDir>/test'],
	// Stryker copies the files, and has changed the built ones.
	globalSetup: undefined,
	testMatch: ['<rootDir>/test/mutation/all.test.js'],
	testEnvironment: require.resolve('./environment.js'),
	runtime: require.resolve('./runtime.js'),
	watchman: false,
};
