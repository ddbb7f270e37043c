const { ClientRequest } = require('node:http');
const { performance } = require('node:perf_hooks');
const timersPromises = require('node:timers/promises');

/*
 * Makes time jump to the next timer when there is nothing else to do. Tests that wait for delays, outages and rate
 * limits then take no longer than their work, and everything comes in the same order and at the same time of the clock.
 */

const TICK_MS = 2;
const IDLE_TICKS = 3;
// In one tick; a request or a response takes longer.
const MOST_WORK_WHEN_IDLE_MS = 0.5;
// Longer timers are there for what does not happen, such as the end of n8n's budget for a poll.
const LONGEST_JUMP_MS = 100_000;
// Requests to the system that are under way, such as reading a file or finding a host.
const UNDER_WAY = /Req|ConnectWrap|WriteWrap/;

const real = {
	now: Date.now,
	setTimeout,
	clearTimeout,
	sleep: timersPromises.setTimeout,
	setRequestTimeout: ClientRequest.prototype.setTimeout,
};
const timers = new Set();
let ahead = 0;
let idleTicks = 0;
let utilization;
let ticking;

const now = () => real.now() + ahead;

function setJumpingTimeout(callback, ms, ...args) {
	if (!ticking || !(ms > 1)) return real.setTimeout(callback, ms, ...args);
	const timer = {
		due: now() + ms,
		fire: () => callback(...args),
		ref: () => timer,
		unref: () => timer,
	};
	timers.add(timer);
	return timer;
}

function clearJumpingTimeout(timer) {
	if (!timers.delete(timer)) real.clearTimeout(timer);
}

async function sleep(ms, value, { signal } = {}) {
	return await new Promise((resolve, reject) => {
		const timer = setJumpingTimeout(resolve, ms ?? 1, value);
		signal?.addEventListener('abort', () => {
			clearJumpingTimeout(timer);
			reject(signal.reason);
		});
	});
}

function setRequestTimeout(ms, callback) {
	const timer = setJumpingTimeout(callback, ms);
	return this.once('close', () => clearJumpingTimeout(timer));
}

function isIdle() {
	const { active } = performance.eventLoopUtilization(utilization);
	utilization = performance.eventLoopUtilization();
	if (active > MOST_WORK_WHEN_IDLE_MS) return false;
	return !process.getActiveResourcesInfo().some((name) => UNDER_WAY.test(name));
}

function tick() {
	idleTicks = isIdle() ? idleTicks + 1 : 0;
	const inOrder = [...timers].sort((a, b) => a.due - b.due);
	const wait = (inOrder[0]?.due ?? Infinity) - now();
	if (idleTicks >= IDLE_TICKS && wait > 0 && wait <= LONGEST_JUMP_MS) ahead += wait;
	for (const timer of inOrder) {
		if (timer.due > now()) return;
		idleTicks = 0;
		if (timers.delete(timer)) timer.fire();
	}
}

/** Makes all timers due. */
function jump() {
	ahead += LONGEST_JUMP_MS;
}

function start() {
	ahead = 0;
	timers.clear();
	utilization = performance.eventLoopUtilization();
	ticking = setInterval(tick, TICK_MS);
	Date.now = now;
	globalThis.setTimeout = setJumpingTimeout;
	globalThis.clearTimeout = clearJumpingTimeout;
	timersPromises.setTimeout = sleep;
	ClientRequest.prototype.setTimeout = setRequestTimeout;
}

function stop() {
	clearInterval(ticking);
	ticking = undefined;
	Date.now = real.now;
	globalThis.setTimeout = real.setTimeout;
	globalThis.clearTimeout = real.clearTimeout;
	timersPromises.setTimeout = real.sleep;
	ClientRequest.prototype.setTimeout = real.setRequestTimeout;
}

module.exports = {
	start,
	stop,
	jump,
	setTimeout: setJumpingTimeout,
	clearTimeout: clearJumpingTimeout,
};
