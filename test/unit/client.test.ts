import { setTimeout as sleep } from 'node:timers/promises';
import { createClient } from '../../nodes/ClassEnrollment/transport/client';
import { createRateLimiter } from '../../nodes/ClassEnrollment/transport/rateLimiter';
import { CLASS_LIST } from '../../nodes/ClassEnrollment/classes/classPage';
import type { AttemptResult } from '../../nodes/ClassEnrollment/transport/outcome';

const rateLimiter = createRateLimiter({ size: 1, intervalMs: 0 });

test('an error does not keep the body of the response in memory', async () => {
	const rejected: AttemptResult = {
		outcome: 'rejected',
		message: '',
		advice: '',
		reason: '',
		json: {},
	};
	const settings = { maxConcurrentRequests: 1, giveUpAfterMs: 0 };
	const transport = async () => await Promise.resolve(rejected);
	const client = createClient(transport, { ...settings, rateLimiter });
	const error: unknown = await client.send(CLASS_LIST).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ outcome: 'rejected' });
	expect(error).not.toHaveProperty('failure.json');
});

test('at the end of a run, a request that waits for its retry fails at once, with its own error', async () => {
	const refused: AttemptResult = {
		outcome: 'notProcessed',
		isTemporary: true,
		message: 'refused',
		reason: '',
	};
	const settings = { maxConcurrentRequests: 1, giveUpAfterMs: 60_000, rateLimiter };
	const transport = async () => await Promise.resolve(refused);
	const client = createClient(transport, settings);
	const sending = client.send(CLASS_LIST).catch((error: unknown) => error);
	await sleep(100);
	const endedAt = performance.now();
	client.end();
	expect(await sending).toMatchObject({ message: 'refused' });
	expect(performance.now() - endedAt).toBeLessThan(10);
});
