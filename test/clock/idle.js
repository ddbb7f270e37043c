const { performance } = require('node:perf_hooks');

// Between two looks, a millisecond apart. To send or to receive a request takes longer.
const MOST_WORK_WHEN_IDLE_MS = 0.5;
// What Node.js calls that for which it waits without work of its own: a file, a host, a program, or a callback that is
// next in any case. An open connection has another name, as nothing may ever arrive there.
const AWAITED = /Req|ConnectWrap|WriteWrap|ProcessWrap|Immediate/;

let lastLook;

/** Begins to watch how much the process works. */
function watch() {
	lastLook = performance.eventLoopUtilization();
}

/** Whether the process has hardly worked since the last look, and awaits nothing but timers and messages. */
function isIdle() {
	const { active: workedMs } = performance.eventLoopUtilization(lastLook);
	watch();
	if (workedMs > MOST_WORK_WHEN_IDLE_MS) return false;
	return !process.getActiveResourcesInfo().some((name) => AWAITED.test(name));
}

module.exports = { watch, isIdle };
