const { TestEnvironment } = require('jest-environment-node');
const clock = require('./clock.js');

/** Where tests run on the clock that jumps. Their time limits are real. */
module.exports = class extends TestEnvironment {
	handleTestEvent({ name }) {
		// Only now, so that jest itself has the real clock.
		if (name !== 'setup') return;
		clock.start(this.global);
		this.global.runOnTimers = clock.runOnTimers;
	}

	async teardown() {
		clock.stop();
		await super.teardown();
	}
};
