const shared = require('./jest.config.js');

// The node_modules folder of the n8n whose engine runs the workflow tests, instead of the oldest one supported.
const modules = process.env.N8N_MODULES;

/** @type {import('jest').Config} */
module.exports = {
	...shared,
	testMatch: ['<rootDir>/test/workflow/**/*.test.ts'],
	moduleNameMapper: {
		'^n8n-core$': `${modules}/n8n-core`,
		'^n8n-workflow$': `${modules}/n8n-workflow`,
	},
};
