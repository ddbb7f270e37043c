import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { testProperty } from '../property';
import { indexes } from './fixture';
import { useTrigger } from './trigger';

const CREATED = { event: 'classCreated' };
const { fixture, at, activate, watch, list } = useTrigger();

test.each([0, -20])(
	'after an empty list, all but an old class is new (%i hours)',
	async (hours) => {
		list();
		const { poll } = await watch(CREATED);
		// Over a day older than the last poll.
		const old = { id: 'old', name: 'Old', createdAt: at(-21 * 3600 - 1) };
		list(old);
		expect(await poll()).toEqual([]);
		list(old, { id: 'new', name: 'New', createdAt: at(hours * 3600) });
		expect(await poll()).toEqual(['New']);
	},
);

test('a class of last month is not new when its new name has the text of the filter', async () => {
	const old = { id: 'old', name: 'Old Pro', createdAt: at(-90 * 86_400) };
	list(old);
	const { poll } = await watch({ ...CREATED, filters: { query: 'Pro' } });
	list(old, { id: 'renamed', name: 'New Pro', createdAt: at(-30 * 86_400) });
	expect(await poll()).toEqual([]);
	list(old, { id: 'new', name: 'Pro', createdAt: at(0) });
	expect(await poll()).toEqual(['Pro']);
});

const CENTURY = 36_525 * 24 * 60;
/** What happens before a poll. */
const step = fc.record({
	minutesLater: fc.oneof(fc.nat(3), fc.nat(3000)),
	/** The classes created then, each by a clock that is wrong by so many minutes. */
	clocks: fc.array(fc.constantFrom(-50, 0, 0, 180, 1200, CENTURY), { maxLength: 3 }),
	/** Whether the last one is missing from this poll's list. */
	isLate: fc.boolean(),
	fails: fc.boolean(),
	restarts: fc.boolean(),
});
testProperty(
	'each class comes once, however wrong the clocks are',
	20,
	fc.asyncProperty(
		fc.array(step, { minLength: 1, maxLength: 12 }),
		fc.boolean(),
		async (steps, isDurable) => {
			const workflowId = randomUUID();
			let now = Date.parse(at(0));
			jest.spyOn(Date, 'now').mockImplementation(() => now);
			// IDs may be numbers.
			const created = [{ id: 0, name: 'old', createdAt: at(-60) }];
			list(...created);
			let running = await watch(CREATED, { workflowId });
			let stored = running.stored();
			const found: string[] = [];
			const end = { minutesLater: 1, clocks: [], isLate: false, fails: false, restarts: false };
			for (const { minutesLater, clocks, isLate, fails, restarts } of [...steps, end]) {
				now += minutesLater * 60_000;
				for (const minutes of clocks) {
					const createdAt = new Date(now + minutes * 60_000).toISOString();
					created.push({ id: created.length, name: `${created.length}`, createdAt });
				}
				list(...(isLate && clocks.length > 0 ? created.slice(0, -1) : created));
				if (fails) fixture.service.temper = { failWith: { status: 400 } };
				if (restarts) running = await activate(CREATED, { workflowId, stored });
				const news = await running.poll().catch(() => []);
				if (news.length > 0 || isDurable) stored = running.stored();
				found.push(...news);
			}
			const [, ...expected] = created.map(({ name }) => name);
			expect(found.sort()).toEqual(expected.sort());
		},
	),
);

test('old classes are not stored', async () => {
	const created = indexes(50).map((n) => ({
		id: `${n}`,
		name: `${n}`,
		createdAt: at((n - 50) * 1500),
	}));
	list(created[0]!);
	const { poll, stored } = await watch(CREATED);
	for (let count = 2; count <= 50; count++) {
		const answerJson = { data: created.slice(0, count), totalRecords: count };
		fixture.service.temper = { answerJson };
		expect(await poll()).toEqual([`${count - 1}`]);
	}
	expect(stored().length).toBeLessThan(500);
});

test('an old class that one list lacks is not new, even if the newest one is gone', async () => {
	const [older, old, newest] = [-20, -18, 0].map((hours) => {
		return { id: `${hours}`, name: 'Class', createdAt: at(hours * 3600) };
	});
	list(older!, old!, newest!);
	const { poll } = await watch(CREATED);
	list(older!);
	expect(await poll()).toEqual([]);
	list(older!, old!);
	expect(await poll()).toEqual([]);
});

test('a class that comes into the list an hour late is new, once', async () => {
	const old = { id: 'old', name: 'Old', createdAt: at(0) };
	const newest = { id: 'newest', name: 'Newest', createdAt: at(3600) };
	list(old, newest);
	const { poll } = await watch(CREATED);
	const tooLate = { id: 'too late', name: 'Too late', createdAt: at(-1) };
	list(old, newest, tooLate, { id: 'late', name: 'Late', createdAt: at(0) });
	expect(await poll()).toEqual(['Late']);
	expect(await poll()).toEqual([]);
});

test.each([undefined, null, 'soon', ''])('the time %j silences no other', async (createdAt) => {
	const odd = { id: 'odd', name: 'Odd', createdAt };
	const a = { id: 'a', name: 'A', createdAt: at(1) };
	list(odd, a);
	const { poll } = await watch(CREATED);
	list(odd, a, { id: 'b', name: 'B', createdAt: at(2) });
	expect(await poll()).toEqual(['B']);
	expect(await poll()).toEqual([]);
});
