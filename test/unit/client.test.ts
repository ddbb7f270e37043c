import { createClient } from '../../nodes/ClassEnrollment/transport/client';
import { createRateLimiter } from '../../nodes/ClassEnrollment/transport/rateLimiter';
import { CLASS_LIST } from '../../nodes/ClassEnrollment/classes/classPage';
import type { AttemptResult } from '../../nodes/ClassEnrollment/transport/outcome';

test('an error does not keep the body of the response in memory', async () => {
	const rejected: AttemptResult = {
		outcome: 'rejected',
		message: '',
		advice: '',
		reason: '',
		json: {},
	};
	const settings = { maxConcurrentRequests: 1, giveUpAfterMs: 0 };
	const rateLimiter = createRateLimiter({ size: 1, intervalMs: 0 });
	const transport = async () => await Promise.resolve(rejected);
	const client = createClient(transport, { ...settings, rateLimiter });
	const error: unknown = await client.send(CLASS_LIST).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ outcome: 'rejected' });
	expect(error).not.toHaveProperty('failure.json');
});
