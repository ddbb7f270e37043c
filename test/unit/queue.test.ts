import { createQueue } from '../../nodes/ClassEnrollment/transport/queue';

test('goes in order, but while requests fail from both ends in turn; what is sent again comes last', async () => {
	const queue = createQueue();
	const started: string[] = [];
	const join = (name: string, isAgain = false) =>
		void queue.join(isAgain).then(() => started.push(name));
	join('again', true);
	for (const name of 'abcdefgh') join(name);
	for (const isFailing of [false, true, true, true, false, true]) queue.startNext(isFailing);
	await Promise.resolve().then();
	expect(started.join('')).toBe('ahbgcf');
	for (let n = 0; n < 3; n++) queue.startNext(false);
	await Promise.resolve().then();
	expect(started.slice(-3)).toEqual(['d', 'e', 'again']);
	expect(queue.isEmpty()).toBe(true);
});
