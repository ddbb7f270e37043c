const { clearInterval, setInterval } = require('node:timers');
const clock = require('../clock/clock.js');
const ClockEnvironment = require('../clock/environment.js');

// Of the processor's time, several times as much as a test takes: it will not end.
const MOST_WORK_MS = 10_000;

/** The files whose tests noticed a change, the last one first. */
const noticing = [];
let isEndless = false;

/** Where the tests of a change run, in the same process as those of the changes before. */
module.exports = class extends ClockEnvironment {
	async setup() {
		// Stryker starts another process, without the work that does not end.
		if (isEndless) process.exit();
		await super.setup();
		// Stryker's own object, for the built code outside of this environment.
		globalThis.__stryker__ = this.global.__stryker__ ?? globalThis.__stryker__ ?? {};
		// Not undefined, which means: as the environment variable says.
		globalThis.__stryker__.activeMutant = null;
		// The built code runs outside of this environment, and jest on the same clock: what hangs times out at once.
		clock.start(globalThis);
		const { Date, Error, JSON, setTimeout, clearTimeout } = globalThis;
		Object.assign(this.global, { Date, Error, JSON, setTimeout, clearTimeout, noticing });
	}

	handleTestEvent({ name, test }) {
		if (name === 'test_start') {
			// Only now, so that the package was loaded unchanged.
			globalThis.__stryker__.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
			// Once a test has failed, the change is noticed.
			if (this.isNoticed) test.mode = 'skip';
		}
		if (name === 'test_started') this.watchTest();
		if (name === 'test_done') this.endTest(test);
	}

	watchTest() {
		const began = process.cpuUsage();
		this.watch = setInterval(() => {
			const { user } = process.cpuUsage(began);
			if (user / 1000 > MOST_WORK_MS) this.cutShort();
		}, 200);
	}

	/** Lets a test time out. */
	cutShort() {
		isEndless = true;
		clock.jump();
	}

	endTest(test) {
		clearInterval(this.watch);
		if (test.errors.length === 0) return;
		this.isNoticed = true;
		let { parent } = test;
		while (parent.parent.parent) ({ parent } = parent);
		noticing.unshift(parent.name);
	}
};
