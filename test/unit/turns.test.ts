import { setTimeout as sleep } from 'node:timers/promises';
import { createPace, createTurns } from '../../nodes/ClassEnrollment/transport/turns';

test('waits for a month without asking all the time whether it is over', async () => {
	const end = new AbortController();
	let asked = 0;
	const pace = () => {
		asked++;
		return 31 * 24 * 3_600_000;
	};
	const turns = createTurns(1, pace, end.signal);
	void new Promise((resolve) => setTimeout(resolve, 1000)).then(() => end.abort());
	await turns.take(0);
	expect(asked).toBe(1);
});

test('a pause that is ended early delays nothing', async () => {
	const pace = createPace({ batchSize: 1, batchIntervalMs: 100 });
	const turns = createTurns(2, pace, new AbortController().signal);
	await turns.take(0);
	turns.leave();
	turns.pause(60_000);
	const second = turns.take(10);
	await sleep(20);
	turns.resume();
	const began = performance.now();
	await second;
	expect(performance.now() - began).toBeLessThan(1000);
});
