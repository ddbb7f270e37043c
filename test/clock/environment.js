const { TestEnvironment } = require('jest-environment-node');
const { Settings } = require('luxon');
const clock = require('./clock.js');

/** Where tests run on the clock that jumps, as do the packages, which all tests of a process share. Their time limits are real. */
module.exports = class extends TestEnvironment {
	async setup() {
		await super.setup();
		this.global.runOnTimers = clock.runOnTimers;
	}

	handleTestEvent({ name }) {
		// Only in between, so that jest itself has the real clock.
		if (name === 'setup') {
			clock.start();
			const { Date, Error, JSON, Math, performance, setTimeout, clearTimeout } = globalThis;
			Object.assign(this.global, {
				Date,
				Error,
				JSON,
				Math,
				performance,
				setTimeout,
				clearTimeout,
			});
		}
		if (name === 'teardown') {
			clock.stop();
			// The next test file in this process has the same Luxon.
			Settings.now = () => Date.now();
			Settings.defaultZone = 'system';
		}
	}

	async teardown() {
		clock.stop();
		await super.teardown();
	}
};
