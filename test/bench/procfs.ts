import { readFile } from 'node:fs/promises';

const MS_PER_TICK = 10;
const USER_TIME = 11;
const SYSTEM_TIME = 12;

/** The CPU time that a process has used, with all its threads; undefined where the system has no /proc. */
export async function cpuTimeMs(pid: number): Promise<number | undefined> {
	const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
	// The fields that follow the name, which may hold anything but ends with the last bracket.
	const fields = text?.slice(text.lastIndexOf(')') + 2).split(' ');
	return fields && (Number(fields[USER_TIME]) + Number(fields[SYSTEM_TIME])) * MS_PER_TICK;
}

/** The most memory that a process has had in use at a time, in MB; undefined where the system has no /proc. */
export async function peakMemoryMb(pid: number): Promise<number | undefined> {
	const text = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
	const kilobytes = /^VmHWM:\s+(\d+) kB$/m.exec(text)?.[1];
	return kilobytes === undefined ? undefined : Number(kilobytes) / 1024;
}
