const groupBy = require('lodash/groupBy');
const mapValues = require('lodash/mapValues');
const uniq = require('lodash/uniq');
const { readFileSync, writeFileSync } = require('node:fs');
const { clearInterval, setInterval } = require('node:timers');
const clock = require('../clock/clock.js');
const ClockEnvironment = require('../clock/environment.js');

// Of the processor's time, several times as much as a test takes: it will not end.
const MOST_WORK_MS = 5000;
const MOST_WORK_FOR_A_CHANGE_MS = 40_000;

const workSince = (began) => process.cpuUsage(began).user / 1000;

// Where it is kept which changes the tests of a file run, from the first run, without a change.
const COVERAGE = 'test-mutation-coverage.json';
// So many changes before and after one are about the same.
const NEIGHBORS = 25;

/** The file whose tests noticed the last change. */
let noticing;
let isEndless = false;
let coverage;

/** How much of the code around a change the tests of a file run: those that run most of it are about it. */
function breadthOf(file) {
	const change = Number(process.env.__STRYKER_ACTIVE_MUTANT__);
	coverage ??= JSON.parse(readFileSync(COVERAGE, 'utf8'));
	return (coverage[file] ?? []).filter((id) => Math.abs(id - change) <= NEIGHBORS).length;
}

function writeCoverage({ perTest }) {
	const byFile = groupBy(Object.entries(perTest), ([test]) => test.split(' ', 2).join(' '));
	const changesOf = (tests) => tests.flatMap(([, changes]) => Object.keys(changes).map(Number));
	const covered = mapValues(byFile, (tests) => uniq(changesOf(tests)));
	writeFileSync(COVERAGE, JSON.stringify(covered));
}

/** Where the tests of a change run, in the same process as those of the changes before. */
module.exports = class extends ClockEnvironment {
	async setup() {
		// Stryker starts another process, without the work that does not end.
		if (isEndless) process.exit();
		this.began = process.cpuUsage();
		await super.setup();
		// Stryker's own object, for the built code outside of this environment.
		globalThis.__stryker__ = this.global.__stryker__ ?? globalThis.__stryker__ ?? {};
		// Not undefined, which means: as the environment variable says.
		globalThis.__stryker__.activeMutant = null;
	}

	async teardown() {
		const { mutantCoverage } = globalThis.__stryker__;
		const isFirstRun = process.env.__STRYKER_ACTIVE_MUTANT__ === undefined;
		if (isFirstRun && mutantCoverage) writeCoverage(mutantCoverage);
		await super.teardown();
	}

	handleTestEvent(event) {
		const { name, test } = event;
		if (name === 'setup') this.share(event.testNamePattern ?? '');
		else super.handleTestEvent(event);
		if (name === 'test_start') {
			// Only now, so that the package was loaded unchanged.
			globalThis.__stryker__.activeMutant = process.env.__STRYKER_ACTIVE_MUTANT__;
			// Once a test has failed, the change is noticed. What takes long to be noticed counts as not noticed.
			if (this.isNoticed || this.isOver()) test.mode = 'skip';
		}
		if (name === 'test_started') this.watchTest();
		if (name === 'test_done') this.endTest(test);
	}

	/** Runs the tests on the clock of the built code, which runs outside of this environment. */
	share(testNamePattern) {
		clock.start(globalThis);
		const { Date, Error, JSON, Math, performance, setTimeout, clearTimeout } = globalThis;
		const own = { Date, Error, JSON, Math, performance, setTimeout, clearTimeout };
		const pattern = testNamePattern.replaceAll('\\', '');
		const count = (start) => pattern.split(`(${start} `).length - 1;
		const way = count('step') < count('routing') ? 'routing' : 'step';
		/** Whether tests of a file run the change, in the way in which more tests do. */
		const isWanted = (file) => !pattern || (file.startsWith(way) && count(file) > 0);
		const rankOf = (file) => (file === noticing ? Infinity : breadthOf(file));
		Object.assign(this.global, own, { isWanted, rankOf });
	}

	isOver() {
		return (
			process.env.__STRYKER_ACTIVE_MUTANT__ && workSince(this.began) > MOST_WORK_FOR_A_CHANGE_MS
		);
	}

	watchTest() {
		const began = process.cpuUsage();
		this.watch = setInterval(() => {
			if (workSince(began) > MOST_WORK_MS) this.cutShort();
		}, 200);
	}

	cutShort() {
		isEndless = true;
		clock.giveUp(new Error('This takes too long.'));
	}

	endTest(test) {
		clearInterval(this.watch);
		if (test.errors.length === 0) return;
		this.isNoticed = true;
		let { parent } = test;
		while (parent.parent.parent) ({ parent } = parent);
		noticing = parent.name;
	}
};
