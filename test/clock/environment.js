const { TestEnvironment } = require('jest-environment-node');
const { AsyncLocalStorage } = require('node:async_hooks');
const clock = require('./clock.js');

/** Those in use. jest leaves one with each test file, and every later promise would carry them all. */
const storages = new Set();
const { run } = AsyncLocalStorage.prototype;
AsyncLocalStorage.prototype.run = function (...args) {
	storages.add(this);
	return run.apply(this, args);
};

/** Where tests run on the clock that jumps. Their time limits are real. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.runOnTimers = clock.runOnTimers;
	}

	handleTestEvent({ name, test }) {
		// Only now, so that jest itself has the real clock.
		if (name === 'setup') clock.start(this.global);
		if (name === 'test_fn_start') {
			const { fn } = test;
			test.fn = async () => await clock.run(fn);
		}
	}

	async teardown() {
		clock.stop();
		for (const storage of storages) storage.disable();
		storages.clear();
		await super.teardown();
	}
};
