import { createClient } from '../../nodes/ClassEnrollment/transport/client';
import { createPace } from '../../nodes/ClassEnrollment/transport/turns';
import { CLASS_LIST } from '../../nodes/ClassEnrollment/classes/classPages';
import type { Outcome } from '../../nodes/ClassEnrollment/transport/outcome';

test('an error does not keep the body of the response in memory', async () => {
	const refused: Outcome = { fate: 'rejected', message: '', advice: '', reason: '', json: {} };
	const settings = { maxConcurrentRequests: 1, maxRetries: 0 };
	const pace = createPace({ batchSize: 1, batchIntervalMs: 0 });
	const client = createClient(
		async () => await Promise.resolve(refused),
		{ ...settings, pace },
		CLASS_LIST,
	);
	const error: unknown = await client.send(CLASS_LIST).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ failure: { fate: 'rejected' } });
	expect(error).not.toHaveProperty('failure.json');
});
