const { ClientRequest } = require('node:http');
const { performance } = require('node:perf_hooks');
const timersPromises = require('node:timers/promises');

/*
 * A clock that stands still while there is work, and jumps to the next timer when there is none. Tests that wait for
 * delays, outages and rate limits then take no longer than their work, and everything happens in the same order and at
 * the same time of the clock, however slow the machine is.
 */

const TICK_MS = 1;
const IDLE_TICKS = 4;
// Many more before a long jump, since most timers so long are there for what does not happen.
const LONG_IDLE_TICKS = 200;
const LONG_JUMP_MS = 100_000;
// In one tick; a request or a response takes longer.
const MOST_WORK_WHEN_IDLE_MS = 0.5;
// What the system is doing, such as reading a file, finding a host or running a program, and what is next in any case.
const UNDER_WAY = /Req|ConnectWrap|WriteWrap|ProcessWrap|Immediate/;

const real = {
	Date,
	now: Date.now,
	performance: globalThis.performance,
	setTimeout,
	clearTimeout,
	setInterval,
	sleep: timersPromises.setTimeout,
	setRequestTimeout: ClientRequest.prototype.setTimeout,
	abortAfter: AbortSignal.timeout,
};
const timers = new Set();
/** Timers that only let others go first. They do not wait for the clock; it waits for them. */
const soon = new Set();
let time;
let idleTicks = 0;
let utilization;
let ticking;

// For Node.js, too, a timer takes a millisecond at least, and no more than this.
const MAX_MS = 2 ** 31 - 1;
const toDelay = (ms) => (ms > MAX_MS ? 1 : Math.max(1, Math.floor(ms)));

function setJumpingTimeout(callback, ms, ...args) {
	if (!ticking) return real.setTimeout(callback, ms, ...args);
	if (!(ms > 0)) {
		const timer = real.setTimeout(() => {
			soon.delete(timer);
			callback(...args);
		});
		soon.add(timer);
		return timer;
	}
	const timer = {
		due: time + toDelay(ms),
		fire: () => callback(...args),
		ref: () => timer,
		unref: () => timer,
		refresh: () => {
			timer.due = time + toDelay(ms);
			timers.add(timer);
		},
	};
	timers.add(timer);
	return timer;
}

function clearJumpingTimeout(timer) {
	soon.delete(timer);
	if (!timers.delete(timer)) real.clearTimeout(timer);
}

async function sleep(ms, value, { signal } = {}) {
	return await new Promise((resolve, reject) => {
		const stop = () => {
			clearJumpingTimeout(timer);
			reject(signal.reason);
		};
		const timer = setJumpingTimeout(() => {
			signal?.removeEventListener('abort', stop);
			resolve(value);
		}, ms ?? 1);
		signal?.addEventListener('abort', stop);
	});
}

/** Like Node.js, calls back when nothing has been received for so long. */
function setRequestTimeout(ms, callback) {
	const timer = setJumpingTimeout(callback, ms);
	this.once('response', (response) => {
		const { push } = response;
		response.push = (...data) => {
			timer.due = time + ms;
			return push.apply(response, data);
		};
	});
	return this.once('close', () => clearJumpingTimeout(timer));
}

function abortAfter(ms) {
	const controller = new AbortController();
	const over = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
	setJumpingTimeout(() => controller.abort(over), ms);
	return controller.signal;
}

function isIdle() {
	const { active } = performance.eventLoopUtilization(utilization);
	utilization = performance.eventLoopUtilization();
	if (soon.size > 0 || active > MOST_WORK_WHEN_IDLE_MS) return false;
	return !process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name));
}

function tick() {
	idleTicks = isIdle() ? idleTicks + 1 : 0;
	if (idleTicks < IDLE_TICKS || timers.size === 0) return;
	const next = nextDue();
	if (next - time > LONG_JUMP_MS && idleTicks < LONG_IDLE_TICKS) return;
	jumpTo(next);
}

function nextDue() {
	let next = Infinity;
	for (const { due } of timers) next = Math.min(next, due);
	return next;
}

function jumpTo(moment) {
	idleTicks = 0;
	time = Math.max(time, moment);
	const due = [...timers].filter((timer) => timer.due <= time).sort((a, b) => a.due - b.due);
	// Each with a turn of its own, as in Node.js.
	for (const timer of due) setImmediate(() => timers.delete(timer) && timer.fire());
}

/** Runs a task that waits for timers alone, so that the clock need not watch for work. */
async function runOnTimers(task) {
	let isOver = false;
	const done = task().finally(() => (isOver = true));
	const stuck = new Promise((_, reject) => {
		const step = () => {
			if (isOver) return;
			if (timers.size === 0) return reject(new Error('It waits for what does not come'));
			jumpTo(nextDue());
			// After those that are due now, and all that follows from them.
			setImmediate(step);
		};
		setImmediate(step);
	});
	await Promise.race([done, stuck]);
}

/** Starts the clock, at the real time. */
function start() {
	time = Date.now();
	const begin = time;
	timers.clear();
	soon.clear();
	utilization = performance.eventLoopUtilization();
	ticking = real.setInterval(tick, TICK_MS);
	timersPromises.setTimeout = sleep;
	ClientRequest.prototype.setTimeout = setRequestTimeout;
	AbortSignal.timeout = abortAfter;
	real.Date.now = () => time;
	globalThis.Date = new Proxy(real.Date, {
		construct: (target, args, newTarget) =>
			Reflect.construct(target, args.length > 0 ? args : [time], newTarget),
	});
	globalThis.performance = new Proxy(real.performance, {
		get: (target, name) => {
			if (name === 'now') return () => time - begin;
			const value = Reflect.get(target, name, target);
			return typeof value === 'function' ? value.bind(target) : value;
		},
	});
	globalThis.setTimeout = setJumpingTimeout;
	globalThis.clearTimeout = clearJumpingTimeout;
	// n8n-core sets one that it clears only when the process ends.
	globalThis.setInterval = (...args) => real.setInterval(...args).unref();
}

function stop() {
	clearInterval(ticking);
	ticking = undefined;
	real.Date.now = real.now;
	const { Date, performance, setTimeout, clearTimeout, setInterval } = real;
	Object.assign(globalThis, { Date, performance, setTimeout, clearTimeout, setInterval });
	timersPromises.setTimeout = real.sleep;
	ClientRequest.prototype.setTimeout = real.setRequestTimeout;
	AbortSignal.timeout = real.abortAfter;
}

module.exports = { start, stop, runOnTimers };
