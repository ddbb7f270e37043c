const { ClientRequest } = require('node:http');
const timersPromises = require('node:timers/promises');
const { isIdle, watch } = require('./idle.js');

/*
 * A clock that stands still while there is work, and jumps to the next timer when there is none. Tests that wait for
 * delays, outages and rate limits then take no longer than their work, and everything happens in the same order and at
 * the same time of the clock, however slow the machine is.
 */

/** How often the clock looks whether there is work, in real time. */
const TICK_MS = 1;
/** It jumps after so many ticks in a row without work. */
const IDLE_TICKS = 4;
/** A timer so long is mostly there for what does not happen, so the clock jumps to it only after many more. */
const LONG_JUMP_MS = 100_000;
const IDLE_TICKS_BEFORE_LONG_JUMP = 200;

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

/** In place of the method of a Node.js request: calls back when nothing has arrived for so long. */
function setRequestTimeout(ms, callback) {
	const timer = setJumpingTimeout(callback, ms);
	this.once('response', (response) => {
		// Node.js pushes each part that arrives into the response.
		const { push } = response;
		response.push = (...part) => {
			timer.due = time + ms;
			return push.apply(response, part);
		};
	});
	return this.once('close', () => clearJumpingTimeout(timer));
}

function abortAfter(ms) {
	// As in Node.js.
	if (!Number.isInteger(ms)) throw new RangeError(`${ms} is not an integer`);
	const controller = new AbortController();
	const over = new DOMException('The operation was aborted due to timeout', 'TimeoutError');
	setJumpingTimeout(() => controller.abort(over), ms);
	return controller.signal;
}

/** Counts the ticks without work, and jumps to the next timer when there were enough. */
function tick() {
	const isStill = isIdle() && soon.size === 0;
	idleTicks = isStill ? idleTicks + 1 : 0;
	if (timers.size === 0) return;
	const next = nextDue();
	const isLongJump = next - time > LONG_JUMP_MS;
	if (idleTicks >= (isLongJump ? IDLE_TICKS_BEFORE_LONG_JUMP : IDLE_TICKS)) jumpTo(next);
}

/** When the next timer is due. */
function nextDue() {
	let next = Infinity;
	for (const { due } of timers) next = Math.min(next, due);
	return next;
}

/** Moves the clock on, and fires the timers that are due then. */
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
			if (timers.size + soon.size === 0)
				return reject(new Error('It waits for what does not come'));
			if (soon.size === 0) jumpTo(nextDue());
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
	watch();
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
