import { createBreaker } from '../../nodes/ClassEnrollment/transport/breaker';
import type { Fate } from '../../nodes/ClassEnrollment/transport/fate';
import { createLine } from '../../nodes/ClassEnrollment/transport/line';

const outcomeOf = (fate: Fate) => ({ fate, message: '', advice: '', reason: '' });

test('goes in order, but after several failures takes the last one', async () => {
	const breaker = createBreaker();
	const line = createLine(1, () => 0, breaker, new AbortController().signal);
	const started: string[] = [];
	const stand = (name: string, isAgain = false) =>
		void line.take(0, isAgain).then(() => started.push(name));
	for (const name of 'abcdefgh') stand(name);
	stand('again', true);
	for (const fate of ['done', 'failed', 'failed', 'failed', 'rejected', 'failed'] as const) {
		await new Promise((resolve) => setTimeout(resolve, 1));
		breaker.note(outcomeOf(fate), 1);
		line.leave();
	}
	await new Promise((resolve) => setTimeout(resolve, 1));
	expect(started.join('')).toBe('abchgde');
});
