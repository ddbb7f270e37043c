const { default: Runtime } = require('jest-runtime');
const { resolve } = require('node:path');

const BUILT = resolve(__dirname, '../../dist/nodes');

/** Loads packages and the built code as Node.js does, once for all mutants: jest would load n8n anew for each. */
module.exports = class extends Runtime {
	requireModuleOrMock(from, name) {
		if (name.startsWith('../../nodes/')) return require(name.replace('../../nodes', BUILT));
		if (/^(\.|\/|node:)/.test(name)) return super.requireModuleOrMock(from, name);
		return require(require.resolve(name, { paths: [from] }));
	}
};
