const ClockEnvironment = require('../clock/environment.js');

/** How long the tests of a change may work, in time of the processor. What takes longer to be noticed is not noticed. */
const MOST_WORK_MS = 40_000;

/** The test file that noticed the change before: most likely, it notices this one, too. */
let noticing;

/** Where the tests of a change run, in the same process as those of the changes before. */
module.exports = class extends ClockEnvironment {
	async setup() {
		this.began = process.cpuUsage();
		await super.setup();
		// The built code runs outside of this environment: it shares Stryker's object, and is loaded unchanged.
		globalThis.__stryker__ = this.global.__stryker__ ?? globalThis.__stryker__ ?? {};
		globalThis.__stryker__.activeMutant = null;
	}

	handleTestEvent(event) {
		const { name, test } = event;
		super.handleTestEvent(event);
		if (name === 'setup') this.choose(event.testNamePattern);
		if (name === 'test_start') {
			globalThis.__stryker__.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
			if (this.isNoticed || this.isOver()) test.mode = 'skip';
		}
		if (name === 'test_done' && test.errors.length > 0) this.noteNoticed(test.parent);
	}

	noteNoticed({ name, parent }) {
		this.isNoticed = true;
		if (parent.parent) this.noteNoticed(parent);
		else noticing = name;
	}

	choose(testNamePattern) {
		const wanted = testNamePattern?.replaceAll('\\', '');
		const isWanted = (file) => !wanted || wanted.includes(`${file} `);
		Object.assign(this.global, { isWanted, noticing });
	}

	isOver() {
		const isChanged = process.env.__STRYKER_ACTIVE_MUTANT__ !== undefined;
		return isChanged && process.cpuUsage(this.began).user / 1000 > MOST_WORK_MS;
	}
};
