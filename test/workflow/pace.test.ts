import type { INodeParameters } from 'n8n-workflow';
import type { Temper } from '../service/service';
import {
	byId,
	CONTINUE,
	describeAs,
	EMAIL_OF_ITEM,
	emailOf,
	inTurn,
	isFor,
	PYTHON,
	rows,
	RUST,
	useService,
} from './fixture';

const SINGLE = { options: { batchSize: 1 } };
const TO_ITEM = { email: 'student@example.com', classId: byId('={{ $json.to }}') };
const UNAVAILABLE: Temper = { failWith: { status: 503 } };
const REFUSED: Temper = { failWith: { status: 400, only: isFor(emailOf(0)) } };

const fixture = useService();

describe('Max Concurrent Requests', () => {
	test.each([undefined, 1, 4, 25])('%p', async (maxConcurrentRequests) => {
		const most = maxConcurrentRequests ?? 10;
		const requestOptions = maxConcurrentRequests ? { maxConcurrentRequests } : {};
		const parameters = { ...EMAIL_OF_ITEM, ...SINGLE, requestOptions };
		fixture.service.temper = { latencyMs: 400, failWith: { status: 429, times: 3 } };
		for (const operation of ['addToClass', 'sendMagicLink', 'addManyToClass']) {
			fixture.service.resetRecord();
			await fixture.student(operation, parameters, { items: rows(3 * most) });
			expect(fixture.service.peakInFlight).toBe(most);
		}
	});
});

describeAs('routing')('Batching', () => {
	test('pauses between what n8n starts later', async () => {
		const batching = { batch: { batchSize: 1, batchInterval: 400 } };
		const parameters = { ...EMAIL_OF_ITEM, requestOptions: { batching } };
		expect(
			(await fixture.student('addToClass', parameters, { items: rows(5) })).items,
		).toHaveLength(5);
		const times = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		const least = Math.min(...times.slice(1).map((time, n) => time - times[n]!));
		expect(least).toBeGreaterThan(390);
	});
});

describeAs('step')('Batching', () => {
	const run = async (operation: string, batchSize: number, parameters: INodeParameters) => {
		const batching = { batch: { batchSize, batchInterval: 5000 } };
		const requestOptions = { giveUpAfter: 5, batching };
		const items = rows(5).map((row, n) => ({ ...row, to: n % 2 ? PYTHON.id : RUST.id }));
		const all = { ...EMAIL_OF_ITEM, ...parameters, requestOptions };
		return await fixture.student(operation, all, { items, ...CONTINUE });
	};

	test.each<[string, operation: string, size: number, INodeParameters, Temper, pauses: number[]]>([
		['items', 'addToClass', 2, {}, {}, [0, 1, 0, 1]],
		['batches', 'addManyToClass', 2, SINGLE, {}, [0, 1, 0, 1]],
		['each', 'addToClass', 0, {}, {}, [1, 1, 1, 1]],
		['each', 'addToClass', -1, {}, {}, [1, 1, 1, 1]],
		// Only the last row for each of two classes is sent.
		['one after another', 'removeFromClass', 1, TO_ITEM, {}, [1]],
		['again', 'addToClass', 1, {}, inTurn(UNAVAILABLE, UNAVAILABLE, {}), [1, 1, 1, 1, 1, 1]],
		['divided', 'addManyToClass', 1, {}, REFUSED, [1, 1, 1, 1, 1]],
	])('pauses: %s: %s, %i', async (_what, operation, size, parameters, temper, pauses) => {
		fixture.service.temper = temper;
		await run(operation, size, parameters);
		const times = fixture.service.requests.map(({ receivedAt }) => receivedAt);
		const between = times.slice(1).map((time, n) => (time - times[n]!) / 5000);
		expect(between).toEqual(pauses.map((pause) => expect.closeTo(pause, 2) as number));
	});
});
