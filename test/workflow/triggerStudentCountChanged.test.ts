import type { IDataObject } from 'n8n-workflow';
import { PYTHON, RUST } from './fixture';
import { MANUAL, useTrigger } from './trigger';

const COUNT = { event: 'studentCountChanged' };
const { classes, at, activate, watch, list } = useTrigger();

const a = { id: 'a', name: 'A', createdAt: '2026-01-01T00:00:00.000Z', countStudents: 30 };
const b = { id: 'b', name: 'B', createdAt: '2025-01-01T00:00:00.000Z', countStudents: 5 };
const enroll = (id: string, email = 'new@example.com') => classes().enroll([id], [{ email }]);
const remove = (id: string, email = 'student@example.com') => classes().remove([id], email);
/** An item of the output. */
const change = (name: string, previousCountStudents: number, countStudents: unknown) =>
	expect.objectContaining({ name, previousCountStudents, countStudents }) as IDataObject;

test.each([
	[undefined, [change('Python', 1, 3), change('Rust', 1, 0)]],
	['any', [change('Python', 1, 3), change('Rust', 1, 0)]],
	['increased', [change('Python', 1, 3)]],
	['decreased', [change('Rust', 1, 0)]],
])('direction %s', async (direction, expected) => {
	const { pollItems } = await watch({ ...COUNT, ...(direction && { direction }) });
	enroll(PYTHON.id);
	enroll(PYTHON.id, 'another@example.com');
	remove(RUST.id);
	expect(await pollItems()).toEqual(expected);
	expect(await pollItems()).toEqual([]);
});

test.each([
	['increased', () => remove(PYTHON.id), () => enroll(PYTHON.id), change('Python', 0, 1)],
	['decreased', () => enroll(PYTHON.id), () => remove(PYTHON.id), change('Python', 2, 1)],
])('a count that is not %s moves on', async (direction, unwanted, wanted, expected) => {
	const { pollItems } = await watch({ ...COUNT, direction });
	unwanted();
	expect(await pollItems()).toEqual([]);
	wanted();
	expect(await pollItems()).toEqual([expected]);
	expect(await pollItems()).toEqual([]);
});

test.each([3, undefined, 'thirty'])(
	'a manual test shows the count %j as it is',
	async (countStudents) => {
		list({ ...a, countStudents });
		const { pollItems } = await activate(COUNT, MANUAL);
		const [sample] = await pollItems();
		expect(sample?.previousCountStudents).toBe(countStudents);
	},
);

test('a class that only now matches the filter has not changed', async () => {
	const { pollItems } = await watch({ ...COUNT, filters: { query: 'Go' } });
	classes().addClass({ id: 'go', name: 'Rust', createdAt: at(1), countStudents: 3 });
	classes().renameClass('go', 'Go');
	expect(await pollItems()).toEqual([]);
	enroll('go');
	expect(await pollItems()).toEqual([change('Go', 3, 4)]);
});

test.each([undefined, null, 'thirty', ''])('the count %j is no change', async (countStudents) => {
	list(a, b);
	const { pollItems } = await watch(COUNT);
	list({ ...a, countStudents }, b);
	expect(await pollItems()).toEqual([]);
	list(a, b);
	expect(await pollItems()).toEqual([]);
	list({ ...a, countStudents }, { ...b, countStudents: 6 });
	expect(await pollItems()).toEqual([change('B', 5, 6)]);
	list({ ...a, countStudents: 31 }, b);
	expect(await pollItems()).toEqual([change('A', 30, 31), change('B', 6, 5)]);
});

test.each([
	[COUNT, { countStudents: '30' }, 'countStudents'],
	[{ event: 'classCreated' }, { createdAt: 1_767_225_600_000 }, 'createdAt'],
	[{ event: 'classUpdated' }, { updatedAt: undefined }, 'updatedAt'],
])('%j fails if it can read the value of no class', async (parameters, changes, field) => {
	const unreadable = { updatedAt: at(1), ...a, ...changes };
	list(unreadable);
	const { poll } = await activate(parameters);
	await expect(poll()).rejects.toMatchObject({
		message: `No class has a '${field}' that can be read`,
		description: expect.stringContaining('Choose another event') as string,
	});
	// Nor is the current state recorded.
	list(unreadable, { id: 'c', name: 'C', createdAt: at(2), updatedAt: at(2), countStudents: 1 });
	expect(await poll()).toEqual([]);
	list();
	expect(await poll()).toEqual([]);
});

test('classes without an ID are left out, as they can be any of them', async () => {
	const unknown = [1, 2].map((countStudents) => ({ ...b, id: undefined, countStudents }));
	list(a, ...unknown);
	const { pollItems } = await watch(COUNT);
	expect(await pollItems()).toEqual([]);
});

test('a class starts from nothing if it was created just now, not if the first poll missed it', async () => {
	const newest = { ...a, createdAt: at(3600) };
	const missed = { ...b, createdAt: at(-1) };
	list(newest);
	const { pollItems } = await watch(COUNT);
	list(newest, missed);
	expect(await pollItems()).toEqual([]);
	const created = { ...b, id: 'c', name: 'C', createdAt: at(0) };
	list(newest, { ...missed, countStudents: 6 }, created);
	expect(await pollItems()).toEqual([change('B', 5, 6), change('C', 0, 5)]);
});
