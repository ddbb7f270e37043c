import { setTimeout as sleep } from 'node:timers/promises';
import { createTimeLimit } from '../../nodes/ClassEnrollment/transport/timeLimit';

test('the time of a task does not end one that began later', async () => {
	const limitTime = createTimeLimit(1000, new AbortController().signal);
	const ending = () => 'ended';
	const take = async (ms: number) => await limitTime(async () => await sleep(ms, 'done'), ending);
	expect(await take(600)).toBe('done');
	expect(await take(600)).toBe('done');
	expect(await take(1400)).toBe('ended');
});
