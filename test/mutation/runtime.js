const { resolve } = require('node:path');
const Runtime = require('../clock/runtime.js');

const BUILT = resolve(__dirname, '../../dist/nodes');

/** Loads the built code, which Stryker has changed, in place of its sources. */
module.exports = class extends Runtime {
	requireModuleOrMock(from, name) {
		if (name.startsWith('../../nodes/')) return require(name.replace('../../nodes', BUILT));
		return super.requireModuleOrMock(from, name);
	}
};
