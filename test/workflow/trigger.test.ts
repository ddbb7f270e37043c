import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INode,
	type INodeParameters,
	type INodeType,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { additionalDataOf, loadPackage, nodeOf, nodeTypesOf } from './engine';
import type { Class } from '../service/service';
import { useService } from './fixture';

interface Polling {
	poll: () => Promise<IDataObject[]>;
	/** What n8n would store with the workflow. */
	stored: () => string;
}

describe('the trigger', () => {
	const fixture = useService();

	/** Activates a workflow, or goes on with what one has stored, as after a restart of n8n. */
	async function activate(
		parameters: INodeParameters,
		stored = '{}',
		activation: WorkflowActivateMode = 'activate',
		mode: WorkflowExecuteMode = 'trigger',
	): Promise<Polling> {
		const loader = await loadPackage();
		const node: INode = {
			...nodeOf({ parameters }),
			type: 'n8n-nodes-class-enrollment.classEnrollmentTrigger',
		};
		const workflow = new Workflow({
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: nodeTypesOf(loader, 'step'),
			staticData: JSON.parse(stored) as IDataObject,
		});
		const context = new PollContext(
			workflow,
			node,
			additionalDataOf(loader, fixture.service),
			mode,
			activation,
		);
		const type = loader.getNode('classEnrollmentTrigger').type as INodeType;
		return {
			poll: async () => (await type.poll!.call(context))?.flat().map(({ json }) => json) ?? [],
			stored: () => JSON.stringify(workflow.staticData),
		};
	}

	const classes = () => fixture.service.classes;
	const bothClasses = () => classes().listClasses() as unknown as [Class, Class];
	const names = (found: IDataObject[]) => found.map(({ name }) => name);
	const at = (second: number) => new Date(Date.UTC(2030, 0, 1, 0, 0, second)).toISOString();

	describe('Class Created', () => {
		const CREATED = { event: 'classCreated' };

		test('the first poll is the baseline; then each new class comes once', async () => {
			const { poll } = await activate(CREATED);
			expect(await poll()).toEqual([]);
			expect(await poll()).toEqual([]);
			classes().addClass({ name: 'Go', createdAt: at(1) });
			classes().addClass({ name: 'Zig', createdAt: at(2) });
			expect(names(await poll())).toEqual(['Go', 'Zig']);
			expect(await poll()).toEqual([]);
		});

		test('where there was no class at first', async () => {
			for (const { id } of classes().listClasses()) classes().deleteClass(id);
			const { poll } = await activate(CREATED);
			expect(await poll()).toEqual([]);
			classes().addClass({ name: 'Go' });
			expect(names(await poll())).toEqual(['Go']);
		});

		test('equal time stamps, in one poll and in two', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			classes().addClass({ name: 'A', createdAt: at(1) });
			classes().addClass({ name: 'B', createdAt: at(1) });
			expect(names(await poll())).toEqual(['A', 'B']);
			classes().addClass({ name: 'C', createdAt: at(1) });
			expect(names(await poll())).toEqual(['C']);
			expect(await poll()).toEqual([]);
		});

		test('what it has seen survives a restart, and what came meanwhile is found', async () => {
			const before = await activate(CREATED);
			await before.poll();
			classes().addClass({ name: 'A', createdAt: at(1) });
			expect(names(await before.poll())).toEqual(['A']);
			classes().addClass({ name: 'B', createdAt: at(1) });
			const after = await activate(CREATED, before.stored(), 'init');
			expect(names(await after.poll())).toEqual(['B']);
			expect(await after.poll()).toEqual([]);
		});

		test('switched on again after a break, it starts anew', async () => {
			const before = await activate(CREATED);
			await before.poll();
			classes().addClass({ name: 'A', createdAt: at(1) });
			const yesterday = before
				.stored()
				.replace(/"polledAt":\d+/, `"polledAt":${Date.now() - 86_400_000}`);
			const after = await activate(CREATED, yesterday);
			expect(await after.poll()).toEqual([]);
			classes().addClass({ name: 'B', createdAt: at(2) });
			expect(names(await after.poll())).toEqual(['B']);
		});

		test('polls that are hours apart', async () => {
			const { poll } = await activate(CREATED);
			const later = jest.spyOn(Date, 'now');
			const hours = (count: number) => later.mockReturnValue(Date.UTC(2029, 0, 1, count));
			hours(0);
			await poll();
			hours(1);
			classes().addClass({ name: 'A', createdAt: at(1) });
			expect(names(await poll())).toEqual(['A']);
			hours(2);
			classes().addClass({ name: 'B', createdAt: at(2) });
			expect(names(await poll())).toEqual(['B']);
			later.mockRestore();
		});

		test('a service that always speaks of more classes than it has', async () => {
			fixture.allowViolations();
			const list = (...names: string[]) => {
				const data = names.map((name, n) => ({ id: name, name, createdAt: at(n) }));
				const text = JSON.stringify({ data, totalRecords: data.length + 7 });
				fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
			};
			list('A');
			const { poll, stored } = await activate(CREATED);
			await poll();
			const many = Array.from({ length: 50 }, (_, n) => `Class ${n}`);
			for (let n = 1; n < many.length; n++) {
				list('A', ...many.slice(0, n));
				expect(names(await poll())).toEqual([many[n - 1]]);
			}
			expect(stored().length).toBeLessThan(500);
		});

		test('classes whose IDs are numbers', async () => {
			fixture.allowViolations();
			const list = (...ids: number[]) => {
				const data = ids.map((id) => ({ id, name: `Class ${id}`, createdAt: at(1) }));
				const text = JSON.stringify({ data, totalRecords: data.length });
				fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
			};
			list(1);
			const { poll } = await activate(CREATED);
			await poll();
			list(1, 2);
			expect(names(await poll())).toEqual(['Class 2']);
			expect(await poll()).toEqual([]);
		});

		test('another filter starts anew', async () => {
			const before = await activate({ ...CREATED, query: 'py' });
			await before.poll();
			const after = await activate({ ...CREATED, query: 'r' }, before.stored(), 'update');
			expect(await after.poll()).toEqual([]);
		});

		test('only classes with the text in their name', async () => {
			const { poll } = await activate({ ...CREATED, query: ' Go ' });
			await poll();
			classes().addClass({ name: 'Zig', createdAt: at(1) });
			classes().addClass({ name: 'Going', createdAt: at(2) });
			expect(names(await poll())).toEqual(['Going']);
			expect(fixture.service.requests[0]!.query).toMatchObject({ query: 'Go' });
		});

		test('a deleted class brings none back', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			const { id } = classes().addClass({ name: 'A', createdAt: at(5) });
			await poll();
			classes().deleteClass(id);
			expect(await poll()).toEqual([]);
			classes().addClass({ name: 'B', createdAt: at(6) });
			expect(names(await poll())).toEqual(['B']);
		});

		test.each([
			['fails', { failWith: { status: 400 } }],
			[
				'breaks off',
				{
					failWith: {
						status: 401,
						only: ({ query }: { query: Record<string, string> }) => query.page === '2',
					},
				},
			],
			['is a web page', { answerHtml: true }],
		])('a poll that %s loses nothing and repeats nothing', async (_how, temper) => {
			for (let n = 0; n < 120; n++) classes().addClass({ name: `Class ${n}`, createdAt: at(1) });
			const { poll } = await activate(CREATED);
			await poll();
			classes().addClass({ name: 'A', createdAt: at(2) });
			fixture.service.temper = temper;
			await expect(poll()).rejects.toThrow();
			fixture.service.temper = {};
			expect(names(await poll())).toEqual(['A']);
			expect(await poll()).toEqual([]);
		});

		test('an answer that misses classes loses none of them', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			fixture.allowViolations();
			classes().addClass({ id: 'early', name: 'Early', createdAt: at(1) });
			const late = classes().addClass({ id: 'late', name: 'Late', createdAt: at(2) });
			const text = JSON.stringify({ data: [late], totalRecords: 4 });
			fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
			expect(names(await poll())).toEqual(['Late']);
			fixture.service.temper = {};
			expect(names(await poll())).toEqual(['Early']);
			expect(await poll()).toEqual([]);
		});

		test.each([{ firstPage: 0 as const }, { maxPageSize: 30 }, { omitTotalRecords: true }])(
			'however the service counts: %j',
			async (temper) => {
				for (let n = 0; n < 130; n++) classes().addClass({ name: `Class ${n}`, createdAt: at(1) });
				fixture.service.temper = temper;
				const { poll } = await activate(CREATED);
				expect(await poll()).toEqual([]);
				classes().addClass({ name: 'A', createdAt: at(2) });
				expect(names(await poll())).toEqual(['A']);
				expect(await poll()).toEqual([]);
			},
		);

		test('a service whose clock is far behind', async () => {
			for (const { id } of classes().listClasses()) classes().deleteClass(id);
			classes().addClass({ name: 'Old', createdAt: '1999-01-01T00:00:00.000Z' });
			const { poll } = await activate(CREATED);
			await poll();
			classes().addClass({ name: 'A', createdAt: '1999-01-01T00:00:01.000Z' });
			expect(names(await poll())).toEqual(['A']);
		});

		test('keeps little', async () => {
			for (let n = 0; n < 10_000; n++) {
				classes().addClass({
					name: `Class ${n}`,
					createdAt: new Date(1.9e12 + n * 1000).toISOString(),
				});
			}
			fixture.service.temper.maxPageSize = 100;
			const { poll, stored } = await activate(CREATED);
			await poll();
			expect(stored().length).toBeLessThan(2000);
		});
	});

	describe('Class Updated', () => {
		const UPDATED = { event: 'classUpdated' };

		test('a change of a class comes once, a new class does not', async () => {
			const { poll } = await activate(UPDATED);
			await poll();
			const updatedAt = at(1).replace('.000Z', '.003Z');
			classes().addClass({ name: 'New', createdAt: at(1), updatedAt });
			expect(await poll()).toEqual([]);
			const [{ id }] = bothClasses();
			classes().touchClass(id, at(2));
			expect(names(await poll())).toEqual(['Python']);
			classes().touchClass(id, at(3));
			expect(names(await poll())).toEqual(['Python']);
			expect(await poll()).toEqual([]);
		});

		test('two classes that changed at the same time', async () => {
			const { poll } = await activate(UPDATED);
			await poll();
			const [python, rust] = bothClasses();
			classes().touchClass(python.id, at(2));
			expect(names(await poll())).toEqual(['Python']);
			classes().touchClass(rust.id, at(2));
			expect(names(await poll())).toEqual(['Rust']);
		});
	});

	describe('Student Count Changed', () => {
		const COUNT = { event: 'studentCountChanged' };
		const enroll = (id: string, email = 'new@example.com') => classes().enroll([id], [{ email }]);

		test('tells the count before and after, once', async () => {
			const { poll } = await activate(COUNT);
			expect(await poll()).toEqual([]);
			const [python, rust] = bothClasses();
			enroll(python.id);
			enroll(python.id, 'another@example.com');
			classes().remove([rust.id], 'student@example.com');
			expect(await poll()).toEqual([
				expect.objectContaining({ name: 'Python', countStudents: 3, previousCountStudents: 1 }),
				expect.objectContaining({ name: 'Rust', countStudents: 0, previousCountStudents: 1 }),
			]);
			expect(await poll()).toEqual([]);
		});

		test.each([
			['increased', ['Python']],
			['decreased', ['Rust']],
			['any', ['Python', 'Rust']],
		])('direction %s', async (direction, expected) => {
			const { poll } = await activate({ ...COUNT, direction });
			await poll();
			const [python, rust] = bothClasses();
			enroll(python.id);
			classes().remove([rust.id], 'student@example.com');
			expect(names(await poll())).toEqual(expected);
			expect(await poll()).toEqual([]);
		});

		test('a new class starts from nothing', async () => {
			const { poll } = await activate(COUNT);
			await poll();
			const { id } = classes().addClass({ name: 'New', createdAt: at(1) });
			enroll(id);
			expect(await poll()).toEqual([
				expect.objectContaining({ name: 'New', countStudents: 1, previousCountStudents: 0 }),
			]);
		});

		test('a class that only now matches the filter has not changed', async () => {
			const { poll } = await activate({ ...COUNT, query: 'Go' });
			await poll();
			const [{ id }] = bothClasses();
			classes().renameClass(id, 'Go');
			expect(await poll()).toEqual([]);
			enroll(id);
			expect(names(await poll())).toEqual(['Go']);
		});

		test('counts survive an incomplete answer', async () => {
			const { poll } = await activate(COUNT);
			await poll();
			fixture.allowViolations();
			const [, rust] = bothClasses();
			const text = JSON.stringify({ data: [], totalRecords: 2 });
			fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
			expect(await poll()).toEqual([]);
			fixture.service.temper = {};
			enroll(rust.id);
			expect(names(await poll())).toEqual(['Rust']);
		});

		test('keeps less than 600 kB for 10,000 classes', async () => {
			for (let n = 0; n < 10_000; n++) {
				const createdAt = new Date(1.9e12 + n * 1000).toISOString();
				const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
				classes().addClass({ id, name: `Class ${n}`, createdAt, countStudents: n });
			}
			const { poll, stored } = await activate(COUNT);
			await poll();
			expect(stored().length).toBeLessThan(600_000);
			expect(await poll()).toEqual([]);
		});
	});

	test('an event that there is not', async () => {
		const { poll } = await activate({ event: 'classVanished' });
		await expect(poll()).rejects.toThrow(/'Event' cannot be "classVanished"/);
	});

	describe('a manual test', () => {
		test('gives a real class and forgets it', async () => {
			const { poll, stored } = await activate({ event: 'classCreated' }, '{}', 'manual', 'manual');
			expect(await poll()).toEqual([expect.objectContaining({ name: 'Python', countStudents: 1 })]);
			expect(fixture.service.requests).toHaveLength(1);
			expect(stored()).toBe('{}');
		});

		test('gives the count its fields', async () => {
			const { poll } = await activate({ event: 'studentCountChanged' }, '{}', 'manual', 'manual');
			expect(await poll()).toEqual([
				expect.objectContaining({ countStudents: 1, previousCountStudents: 1 }),
			]);
		});

		test('says that there is no class', async () => {
			const { poll } = await activate(
				{ event: 'classCreated', query: 'none' },
				'{}',
				'manual',
				'manual',
			);
			await expect(poll()).rejects.toMatchObject({
				message: 'No class to use as a sample',
				description: expect.stringContaining('"none"'),
			});
		});
	});
});
