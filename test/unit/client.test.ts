import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { createClient } from '../../nodes/ClassEnrollment/transport/client';
import { createPace } from '../../nodes/ClassEnrollment/transport/turns';
import { createMask } from '../../nodes/ClassEnrollment/transport/mask';
import { toOutcome } from '../../nodes/ClassEnrollment/transport/response';
import { CLASS_LIST } from '../../nodes/ClassEnrollment/classes/classPages';
import type { Outcome } from '../../nodes/ClassEnrollment/transport/fate';

setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;
function heapUsedMb(): number {
	collectGarbage();
	return process.memoryUsage().heapUsed / 1e6;
}

test('an error does not keep the body of the response in memory', async () => {
	const refused: Outcome = { fate: 'rejected', message: '', advice: '', reason: '', json: {} };
	const settings = { maxConcurrentRequests: 1, maxRetries: 0 };
	const pace = createPace({ batchSize: 1, batchIntervalMs: 0 });
	const exchange = async () => await Promise.resolve(refused);
	const client = createClient(exchange, { ...settings, pace }, CLASS_LIST);
	const error: unknown = await client.send(CLASS_LIST).catch((thrown: unknown) => thrown);
	expect(error).toMatchObject({ failure: { fate: 'rejected' } });
	expect(error).not.toHaveProperty('failure.json');
});

test.each([
	['a text', (text: string) => text],
	['a JSON text', (text: string) => JSON.stringify({ message: text })],
	['an object', (text: string) => JSON.stringify({ message: { text } })],
])('a message of %s keeps of it in memory only what it shows', (_what, bodyOf) => {
	const before = heapUsedMb();
	const messages = Array.from({ length: 50 }, (_, n) => {
		const body = bodyOf(`${n} ${'says much '.repeat(50_000)}`);
		const response = { statusCode: 400, headers: {}, body };
		return toOutcome(CLASS_LIST, response, createMask('secret-token')).message;
	});
	expect(heapUsedMb()).toBeLessThan(before + 5);
	expect(messages[0]!.length).toBeLessThan(600);
});
