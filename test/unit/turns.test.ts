import { createTurns } from '../../nodes/ClassEnrollment/transport/turns';

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
