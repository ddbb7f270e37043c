import { randomUUID } from 'node:crypto';
import type { IDataObject, INodePropertyOptions, INodeType } from 'n8n-workflow';
import { loadPackage } from './engine';
import { PYTHON } from './fixture';
import { HOUR_MS, MANUAL, type Polling, useTrigger } from './trigger';

const { fixture, classes, at, activate, watch, list } = useTrigger();

interface Happening {
	happen: () => unknown;
	/** The other events that this is. */
	also?: string[];
	/** The field that the event watches. */
	field: string;
}

/** What makes each event happen to the class Python, or to one of that name. */
const HAPPENINGS: Record<string, Happening> = {
	classCreated: {
		happen: () => classes().addClass({ name: 'Python', createdAt: at(1) }),
		field: 'createdAt',
	},
	classUpdated: { happen: () => classes().touchClass(PYTHON.id, at(1)), field: 'updatedAt' },
	studentCountChanged: {
		happen: () => classes().enroll([PYTHON.id], [{ email: 'new@example.com' }]),
		also: ['classUpdated'],
		field: 'countStudents',
	},
};

/** What comes out of a poll. Nothing comes out of the next one. */
async function report({ poll }: Polling): Promise<string[]> {
	const found = await poll();
	expect(await poll()).toEqual([]);
	return found;
}

test('each event that the node offers is among those tested here', async () => {
	const { description } = (await loadPackage()).getNode('classEnrollmentTrigger').type as INodeType;
	const { options } = description.properties.find(({ name }) => name === 'event')!;
	const offered = (options as INodePropertyOptions[]).map(({ value }) => value);
	expect(offered).toEqual(Object.keys(HAPPENINGS));
});

describe.each(Object.entries(HAPPENINGS))('%s', (event, { happen }) => {
	test.each(Object.keys(HAPPENINGS))('after a month, is reported if it was %s', async (other) => {
		const { also = [], ...change } = HAPPENINGS[other]!;
		const { stored } = await watch({ event });
		change.happen();
		jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 30 * 24 * HOUR_MS);
		const found = await report(await activate({ event }, { stored: stored() }));
		expect(found).toEqual([other, ...also].includes(event) ? ['Python'] : []);
	});

	test('is reported only for classes with the text of the filter in their name', async () => {
		const matching = await watch({ event, filters: { query: ' Py ' } });
		expect(fixture.service.requests[0]!.query).toMatchObject({ query: 'Py' });
		const workflowId = randomUUID();
		const other = await watch({ event, filters: { query: 'Rust' } }, { workflowId });
		happen();
		expect(await report(matching)).toEqual(['Python']);
		expect(await report(other)).toEqual([]);
	});

	test('a class that one list lacks is neither gone nor new', async () => {
		const polling = await watch({ event });
		const lackClasses = async () => {
			const all = classes().listClasses() as unknown as IDataObject[];
			for (const data of [all.filter(({ name }) => name !== 'Python'), []]) {
				fixture.service.temper = { answerJson: { data, totalRecords: data.length } };
				expect(await polling.poll()).toEqual([]);
				fixture.service.temper = {};
				expect(await polling.poll()).toEqual([]);
			}
		};
		await lackClasses();
		happen();
		expect(await report(polling)).toEqual(['Python']);
		await lackClasses();
	});

	test('at most 80 bytes of a class are stored', async () => {
		const COUNT = 300;
		const text = 'x'.repeat(500);
		const many = (first: number, updates: number) =>
			Array.from({ length: COUNT }, (_, n) => ({
				id: `00000000-0000-4000-8000-${String(first + n).padStart(12, '0')}`,
				name: text,
				createdAt: at(first),
				updatedAt: at(first + updates),
				countStudents: 1000 + updates,
				text,
			}));
		const { poll, stored } = await watch({ event });
		// New ones, changed ones, half of them, and others in their place.
		const lists = [many(0, 0), many(0, 1), many(0, 1).slice(COUNT / 2), many(COUNT, 1)];
		for (const [n, data] of lists.entries()) {
			list(...data);
			await poll();
			expect(stored().length).toBeLessThan(80 * COUNT * (n === 3 ? 2 : 1));
		}
	});

	test('a manual test returns a real class, with the same fields, and forgets it', async () => {
		const polling = await watch({ event });
		happen();
		const found = await polling.pollItems();
		fixture.service.resetRecord();
		const { pollItems, stored } = await activate({ event }, MANUAL);
		const [sample, ...others] = await pollItems();
		expect(others).toEqual([]);
		const [first] = classes().listClasses() as unknown as IDataObject[];
		expect(sample).toMatchObject({ id: first!.id, name: first!.name });
		expect(Object.keys(sample!)).toEqual(Object.keys(found[0]!));
		expect(fixture.service.requests.map(({ query }) => query)).toEqual([{ pageSize: '1' }]);
		expect(stored()).toBe('{}');
		fixture.service.temper = { minPageSize: 10 };
		expect(await pollItems()).toEqual([sample]);
	});
});

test('a filter that is Fixed and contains an expression', async () => {
	const filters = { query: '{{ $json.name }}' };
	const { poll } = await activate({ event: 'classCreated', filters });
	await expect(poll()).rejects.toThrow(`'Name Contains' is Fixed, so n8n didn't evaluate`);
	expect(fixture.service.requests).toEqual([]);
});

test.each([
	[{ event: 'classVanished' }, `'Trigger On' has no option "classVanished" [trigger]`],
	[{ event: 'studentCountChanged', direction: 'up' }, `'Direction' has no option "up" [trigger]`],
])('a choice that does not exist: %j', async (parameters, message) => {
	const { poll } = await activate(parameters);
	await expect(poll()).rejects.toMatchObject({ message });
});

test.each([
	[{}, 'Create a class in the service, then test again.'],
	[
		{ query: 'none' },
		`No class name contains "none". Change 'Name Contains' or create a matching class.`,
	],
])('a manual test with the filters %j finds no class', async (filters, description) => {
	if (!('query' in filters)) list();
	const { poll } = await activate({ event: 'classCreated', filters }, MANUAL);
	const message = 'No class found to use as sample data';
	await expect(poll()).rejects.toMatchObject({ message, description });
});
