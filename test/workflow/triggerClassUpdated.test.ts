import { useTrigger } from './trigger';

const UPDATED = { event: 'classUpdated' };
const { classes, at, watch, list } = useTrigger();

test.each<[string, createdAt: number | undefined, updatedAt: number, string[]]>([
	['999 ms after its creation', 1, 1.999, []],
	['999 ms before its creation', 1.999, 1, []],
	['a second after its creation', 1, 2, ['New']],
	['without a creation', undefined, 1, ['New']],
])('a class that is new to the list, changed %s', async (_when, created, updated, expected) => {
	const old = { id: 'old', name: 'Old', createdAt: at(0), updatedAt: at(0) };
	list(old);
	const { poll } = await watch(UPDATED);
	const createdAt = created === undefined ? undefined : at(created);
	list(old, { id: 'new', name: 'New', createdAt, updatedAt: at(updated) });
	expect(await poll()).toEqual(expected);
});

test('an edit right after the creation', async () => {
	const { poll } = await watch(UPDATED);
	const { id } = classes().addClass({ name: 'New', createdAt: at(1) });
	classes().addClass({ name: 'Of the same moment', createdAt: at(1) });
	expect(await poll()).toEqual([]);
	classes().touchClass(id, at(1.5));
	expect(await poll()).toEqual(['New']);
	expect(await poll()).toEqual([]);
});
