const { TestEnvironment } = require('jest-environment-node');
const clock = require('./clock.js');

/** Where tests run on the clock that jumps. Their time limits are real. */
module.exports = class extends TestEnvironment {
	handleTestEvent({ name, test }) {
		// Only now, so that jest itself has the real clock.
		if (name === 'setup') {
			clock.start(this.global);
			this.global.runOnTimers = clock.runOnTimers;
		}
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
