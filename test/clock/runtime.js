const { default: Runtime } = require('jest-runtime');
const Module = require('node:module');
const { join } = require('node:path');

const { N8N_MODULES } = process.env;
const { _resolveFilename } = Module;
// Express does not take a promise of a test for one of its own.
process.env.NO_DEPRECATION ??= 'router';

// Of another n8n, if wanted, for everything that asks for it.
if (N8N_MODULES) {
	Module._resolveFilename = (name, ...others) => {
		const isOfN8n = /^n8n-(core|workflow)$/.test(name);
		return _resolveFilename(isOfN8n ? join(N8N_MODULES, name) : name, ...others);
	};
}

/** Loads packages as Node.js does, once for all test files of a process: jest would load n8n anew for each. */
module.exports = class extends Runtime {
	requireModuleOrMock(from, name) {
		if (/^(\.|\/|node:)/.test(name)) return super.requireModuleOrMock(from, name);
		return require(require.resolve(name, { paths: [from] }));
	}
};
