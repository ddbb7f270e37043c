import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';

export interface StartOptions {
	cwd?: string;
	env?: NodeJS.ProcessEnv;
	/** The file to which both output streams are appended. */
	logFile: string;
}

/** How long a process may take to end. */
const GRACE_MS = 10_000;
const running = new Set<ChildProcess>();

// However this process ends, it leaves nothing running that it started.
process.once('exit', () => running.forEach((child) => signalGroup(child, 'SIGKILL')));
(['SIGINT', 'SIGTERM', 'SIGHUP'] as const).forEach((signal) =>
	process.on(signal, () => {
		const isOnlyListener = process.listenerCount(signal) === 1;
		if (isOnlyListener) process.exit(128 + constants.signals[signal]);
	}),
);

/** Starts a command as the leader of a new process group, so that its children end with it. */
export function start(command: string, args: string[], options: StartOptions): ChildProcess {
	const log = openSync(options.logFile, 'a');
	const child = spawn(command, args, {
		cwd: options.cwd,
		env: options.env,
		detached: true,
		stdio: ['ignore', log, log],
	});
	closeSync(log);
	running.add(child);
	child.once('error', () => running.delete(child));
	child.once('exit', () => {
		signalGroup(child, 'SIGKILL');
		running.delete(child);
	});
	return child;
}

/** Whether a process has ended, or never started. */
export function hasEnded(child: ChildProcess): boolean {
	return child.pid === undefined || child.exitCode !== null || child.signalCode !== null;
}

/** Asks a process to end, and kills it with all its children after the grace period. */
export async function stop(child: ChildProcess): Promise<void> {
	if (hasEnded(child)) return;
	const ended = once(child, 'exit');
	child.kill('SIGTERM');
	const grace = new AbortController();
	const timeout = sleep(GRACE_MS, 'timeout', { signal: grace.signal }).catch(() => 'ended');
	if ((await Promise.race([ended, timeout])) === 'timeout') signalGroup(child, 'SIGKILL');
	await ended;
	grace.abort();
}

/** Stops every process that was started here. */
export async function stopAll(): Promise<void> {
	await Promise.all([...running].map(async (child) => await stop(child)));
}

function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void {
	if (child.pid === undefined) return;
	try {
		process.kill(-child.pid, signal);
	} catch {
		// The group has already ended.
	}
}
