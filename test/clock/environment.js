const { TestEnvironment } = require('jest-environment-node');
const clock = require('./clock.js');

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
		await super.teardown();
	}
};
