import fc from 'fast-check';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { runInThisContext } from 'node:vm';
import { PollContext } from 'n8n-core';
import {
	type IDataObject,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodePropertyOptions,
	type INodeType,
	Workflow,
	type WorkflowActivateMode,
	type WorkflowExecuteMode,
} from 'n8n-workflow';
import { testProperty } from '../property';
import { additionalDataOf, loadPackage, nodeOf, nodeTypesOf } from './engine';
import type { Class, Service } from '../service/service';
import { largeTest, PYTHON, RUST, useService } from './fixture';

interface Activation {
	/** What n8n has stored with the workflow. */
	stored?: string;
	activation?: WorkflowActivateMode;
	mode?: WorkflowExecuteMode;
	service?: Pick<Service, 'baseUrl' | 'accessToken'>;
	credentialId?: string;
}

interface Polling {
	/** What n8n gets from a poll. */
	rawPoll: () => Promise<INodeExecutionData[][] | null>;
	poll: () => Promise<IDataObject[]>;
	/** Sets how long a poll may take, in milliseconds. */
	setBudget: (milliseconds: number) => void;
	/** What n8n would store with the workflow. */
	stored: () => string;
}

describe('the trigger', () => {
	const fixture = useService();
	// The trigger remembers the workflows that it polls for.
	let workflowId: string;
	beforeEach(() => {
		workflowId = randomUUID();
	});

	/** Activates a workflow, or goes on with what one has stored, as after a restart of n8n. */
	async function activate(
		parameters: INodeParameters,
		{
			stored = '{}',
			activation = 'activate',
			mode = 'trigger',
			service = fixture.service,
			credentialId = '1',
		}: Activation = {},
	): Promise<Polling> {
		const loader = await loadPackage();
		const node: INode = {
			...nodeOf({ parameters }),
			type: 'n8n-nodes-class-enrollment.classEnrollmentTrigger',
			credentials: { classEnrollmentApi: { id: credentialId, name: 'Test' } },
		};
		const workflow = new Workflow({
			id: workflowId,
			nodes: [node],
			connections: {},
			active: true,
			nodeTypes: nodeTypesOf(loader, 'step'),
			staticData: JSON.parse(stored) as IDataObject,
		});
		const context = new PollContext(
			workflow,
			node,
			additionalDataOf(loader, service),
			mode,
			activation,
		);
		const type = loader.getNode('classEnrollmentTrigger').type as INodeType;
		const rawPoll = async () => await type.poll!.call(context);
		return {
			rawPoll,
			poll: async () => (await rawPoll())?.flat().map(({ json }) => json) ?? [],
			setBudget: (milliseconds) => Object.assign(context, { getPollBudgetMs: () => milliseconds }),
			stored: () => JSON.stringify(workflow.staticData),
		};
	}

	const classes = () => fixture.service.classes;
	const bothClasses = () => classes().listClasses() as unknown as [Class, Class];
	const names = (found: IDataObject[]) => found.map(({ name }) => String(name));
	/** Lets the service respond with these classes, as another service might have them. */
	const list = (...data: IDataObject[]) => {
		fixture.allowViolations();
		fixture.service.temper = { answerJson: { data, totalRecords: data.length } };
	};
	const HOUR_MS = 3_600_000;
	const DAY_MS = 24 * HOUR_MS;
	/** Later than the classes of the fixture, and long enough ago for all that a test lets happen. */
	let start: number;
	beforeEach(() => {
		start = Date.now() - 3 * HOUR_MS;
		for (const known of [PYTHON, RUST]) {
			classes().addClass({ ...known, createdAt: at(-60) });
			classes().enroll([known.id], [{ email: 'student@example.com' }]);
			classes().touchClass(known.id, at(-60));
		}
	});
	const at = (second: number) => new Date(start + second * 1000).toISOString();

	const UNREADABLE: unknown[] = [
		...['text', 7, null, [], [1], {}, { since: 1 }],
		...[
			{ since: 'yesterday', values: {} },
			{ since: null, values: {} },
		],
		...['text', null, [1], { [PYTHON.id]: '1' }, { [PYTHON.id]: null }].map((values) => ({
			since: 1,
			values,
		})),
	];

	interface Happening {
		happen: () => unknown;
		/** The other events that this is. */
		also?: string[];
		/** The field that the event watches, if it is a certain one. */
		field?: string;
		/** How many polls it takes until it is reported; 1 by default. */
		polls?: number;
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

	test('each event that the node offers is among those tested here', async () => {
		const { description } = (await loadPackage()).getNode('classEnrollmentTrigger')
			.type as INodeType;
		const { options } = description.properties.find(({ name }) => name === 'event')!;
		const offered = (options as INodePropertyOptions[]).map(({ value }) => value);
		expect(offered).toEqual(Object.keys(HAPPENINGS));
	});

	describe.each(Object.entries(HAPPENINGS))('%s', (event, { happen, polls = 1 }) => {
		/** The names of the classes that each of the next polls returns. */
		const pollTimes = async ({ poll }: Polling, count: number) => {
			const found: string[][] = [];
			for (let n = 0; n < count; n++) found.push(names(await poll()));
			return found;
		};
		const silent = (count: number) => Array.from({ length: count }, () => []);
		const inTime = [...silent(polls - 1), ['Python'], []];

		test('is reported once; a manual test returns the same fields', async () => {
			const polling = await activate({ event });
			expect(await pollTimes(polling, 2)).toEqual(silent(2));
			happen();
			const found = [];
			for (let n = 0; n < polls; n++) found.push(...(await polling.poll()));
			expect(names(found)).toEqual(['Python']);
			expect(await polling.poll()).toEqual([]);
			const test = await activate({ event }, { activation: 'manual', mode: 'manual' });
			const [sample] = await test.poll();
			expect(Object.keys(sample!)).toEqual(Object.keys(found[0]!));
		});

		test.each(Object.entries(HAPPENINGS))(
			'after a restart, is reported if this is what happened: %s',
			async (other, { happen: happenOther, also = [], polls: takes = 1 }) => {
				const before = await activate({ event });
				expect(await before.poll()).toEqual([]);
				const after = await activate({ event }, { stored: before.stored() });
				happenOther();
				const found = await pollTimes(after, takes + 1);
				expect(found.flat()).toEqual([other, ...also].includes(event) ? ['Python'] : []);
			},
		);

		test('is reported with the name filter only for matching classes', async () => {
			const matching = await activate({ event, filters: { query: ' Py ' } });
			workflowId = randomUUID();
			const other = await activate({ event, filters: { query: 'Rust' } });
			for (const { poll } of [matching, other]) expect(await poll()).toEqual([]);
			happen();
			expect(await pollTimes(matching, polls + 1)).toEqual(inTime);
			expect(await pollTimes(other, polls + 1)).toEqual(silent(polls + 1));
		});

		test('a class that one list lacks is neither gone nor new', async () => {
			const polling = await activate({ event });
			const lackClasses = async () => {
				const all = classes().listClasses() as unknown as IDataObject[];
				const others = all.filter(({ name }) => name !== 'Python');
				for (const data of [others, []]) {
					for (const totalRecords of [all.length, data.length, undefined]) {
						fixture.service.temper = { answerJson: { data, totalRecords } };
						expect(await polling.poll()).toEqual([]);
						fixture.service.temper = {};
						expect(await polling.poll()).toEqual([]);
					}
				}
			};
			await polling.poll();
			await lackClasses();
			happen();
			expect(await pollTimes(polling, polls + 1)).toEqual(inTime);
			await lackClasses();
		});

		test('little is stored, whatever the classes contain', async () => {
			const COUNT = 300;
			const text = 'x'.repeat(500);
			const many = (round: number, changes: number) =>
				Array.from({ length: COUNT }, (_, n) => {
					const id = `00000000-0000-4000-8000-${round}${String(n).padStart(11, '0')}`;
					const updatedAt = at(round * 10 + changes);
					return {
						id,
						name: text,
						createdAt: at(round),
						updatedAt,
						countStudents: 100 + changes,
						text,
					};
				});
			const { poll, stored } = await activate({ event });
			await poll();
			// New ones, changed ones, only half of them, and others in their place.
			const lists = [many(0, 0), many(0, 1), many(0, 1).slice(0, COUNT / 2), many(1, 0)];
			for (const [n, data] of lists.entries()) {
				list(...data);
				await poll();
				const known = n === 3 ? 2 * COUNT : COUNT;
				expect(stored().length / known).toBeLessThan(80);
			}
		});

		test('what is stored does not grow without end', async () => {
			const { poll, stored } = await activate({ event });
			let size = 0;
			for (let round = 0; round < 4; round++) {
				const of = { createdAt: at(round), updatedAt: at(round), countStudents: 5 };
				list(...Array.from({ length: 8000 }, (_, n) => ({ id: `${round}-${n}`, ...of })));
				await poll();
				if (round === 2) size = stored().length;
			}
			expect(stored().length).toBeLessThan(size + 10);
		});

		// Or else every poll would fail.
		test('what is stored counts as none if it cannot be read', async () => {
			const first = await activate({ event });
			await first.poll();
			for (const seen of UNREADABLE) {
				const data = JSON.parse(first.stored()) as Record<string, IDataObject>;
				for (const ofNode of Object.values(data)) Object.assign(ofNode, { seen });
				const { poll, stored } = await activate({ event }, { stored: JSON.stringify(data) });
				expect(await poll()).toEqual([]);
				expect(stored()).toBe(first.stored());
			}
		});
	});

	test.each(Object.entries(HAPPENINGS).filter(([, { field }]) => field))(
		'%s: a poll fails and loses nothing where no class has a value that can be read',
		async (event, { happen, field, polls = 1 }) => {
			const polling = await activate({ event });
			await polling.poll();
			const before = polling.stored();
			for (const value of [undefined, null, '', ' ', 'soon', true, [], {}]) {
				list(
					...classes()
						.listClasses()
						.map((entry) => ({ ...entry, [field!]: value })),
				);
				await expect(polling.poll()).rejects.toMatchObject({
					message: expect.stringContaining(`'${field}' of the classes cannot be read`),
					failure: { cause: 'configuration-invalid' },
				});
				expect(polling.stored()).toBe(before);
			}
			fixture.service.temper = {};
			happen();
			const found = [];
			for (let n = 0; n < polls; n++) found.push(...(await polling.poll()));
			expect(names(found)).toEqual(['Python']);
		},
	);

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

		test.each([0, -20])('no class at first, and a clock wrong by %i hours', async (hours) => {
			for (const { id } of classes().listClasses()) classes().deleteClass(id);
			const { poll } = await activate(CREATED);
			expect(await poll()).toEqual([]);
			classes().addClass({ name: 'Go', createdAt: at(hours * 3600) });
			expect(names(await poll())).toEqual(['Go']);
		});

		/** What happens before a poll. */
		const step = fc.record({
			minutesLater: fc.oneof(fc.nat(3), fc.nat(3000)),
			/** The classes created then, each by a clock that is wrong by so many minutes. */
			clocks: fc.array(fc.constantFrom(-50, 0, 0, 180, 1200), { maxLength: 3 }),
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
					workflowId = randomUUID();
					let now = start;
					const clock = jest.spyOn(Date, 'now').mockImplementation(() => now);
					const created: IDataObject[] = [{ id: 'old', createdAt: at(-60) }];
					list(...created);
					let running = await activate(CREATED);
					expect(await running.poll()).toEqual([]);
					let stored = running.stored();
					const found: IDataObject[] = [];
					const end = { minutesLater: 1, clocks: [], isLate: false, fails: false, restarts: false };
					for (const { minutesLater, clocks, isLate, fails, restarts } of [...steps, end]) {
						now += minutesLater * 60_000;
						for (const minutes of clocks) {
							const createdAt = new Date(now + minutes * 60_000).toISOString();
							created.push({ id: `${created.length}`, createdAt });
						}
						list(...(isLate && clocks.length > 0 ? created.slice(0, -1) : created));
						if (fails) fixture.service.temper = { failWith: { status: 400 } };
						if (restarts) running = await activate(CREATED, { stored });
						const news = await running.poll().catch(() => []);
						if (news.length > 0 || isDurable) stored = running.stored();
						found.push(...news);
					}
					clock.mockRestore();
					expect(found.map(({ id }) => id).sort()).toEqual(
						created
							.slice(1)
							.map(({ id }) => id)
							.sort(),
					);
				},
			),
		);

		test('equal timestamps, in one poll and in two', async () => {
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
			const after = await activate(CREATED, { stored: before.stored() });
			expect(names(await after.poll())).toEqual(['B']);
			expect(await after.poll()).toEqual([]);
		});

		test('off for any time and on again, it goes on where it was', async () => {
			const before = await activate(CREATED);
			await before.poll();
			const stored = before.stored();
			classes().addClass({ name: 'A', createdAt: at(1) });
			const month = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 30 * 86_400_000);
			const after = await activate(CREATED, { stored });
			expect(names(await after.poll())).toEqual(['A']);
			month.mockRestore();
			expect(await after.poll()).toEqual([]);
		});

		test('polls that are hours apart', async () => {
			const { poll } = await activate(CREATED);
			const later = jest.spyOn(Date, 'now');
			const hours = (count: number) => later.mockReturnValue(start + count * 3_600_000);
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

		test.each<[string, (count: number) => number]>([
			['always', (count) => count + 7],
			['in every other response', (count) => count + (count % 2)],
		])('a service that reports too many classes %s', async (_when, totalOf) => {
			fixture.allowViolations();
			const listHourly = (count: number) => {
				const data = Array.from({ length: count }, (_, n) => ({
					id: `${n}`,
					createdAt: at((n - 50) * 3600),
				}));
				fixture.service.temper = { answerJson: { data, totalRecords: totalOf(count) } };
			};
			listHourly(1);
			const { poll, stored } = await activate(CREATED);
			await poll();
			for (let count = 2; count <= 50; count++) {
				listHourly(count);
				expect((await poll()).map(({ id }) => id)).toEqual([`${count - 1}`]);
			}
			expect(stored().length).toBeLessThan(500);
		});

		test.each([
			['are numbers', (id: number) => ({ id })],
			['are missing', () => ({})],
		])('classes whose IDs %s', async (_how, idOf) => {
			const numbered = (n: number) => ({ ...idOf(n), name: `Class ${n}`, createdAt: at(n) });
			list(numbered(1));
			const { poll } = await activate(CREATED);
			await poll();
			list(numbered(2), numbered(1), numbered(3));
			expect(names(await poll())).toEqual(['Class 2', 'Class 3']);
			expect(await poll()).toEqual([]);
		});

		test.each<[string, INodeParameters]>([
			['filter', { filters: { query: 'r' } }],
			['event', { event: 'classUpdated' }],
		])('another %s starts with the current state', async (_what, change) => {
			const before = await activate({ ...CREATED, filters: { query: 'py' } });
			await before.poll();
			classes().addClass({ name: 'pyr', createdAt: at(1), updatedAt: at(9) });
			const after = await activate({ ...CREATED, ...change }, { stored: before.stored() });
			expect(await after.poll()).toEqual([]);
			classes().addClass({ name: 'ruby', createdAt: at(2), updatedAt: at(10) });
			expect(names(await after.poll())).toEqual(['ruby']);
		});

		test('another service starts with the current state', async () => {
			const before = await activate(CREATED);
			await before.poll();
			classes().addClass({ name: 'A', createdAt: at(1) });
			const moved = {
				...fixture.service,
				baseUrl: fixture.service.baseUrl.replace('127.0.0.1', 'localhost'),
			};
			const after = await activate(CREATED, { stored: before.stored(), service: moved });
			expect(await after.poll()).toEqual([]);
			classes().addClass({ name: 'B', createdAt: at(2) });
			expect(names(await after.poll())).toEqual(['B']);
		});

		test('another credential for the same address starts with the current state', async () => {
			const before = await activate(CREATED);
			await before.poll();
			classes().addClass({ name: 'A', createdAt: at(1) });
			const stored = before.stored();
			const after = await activate(CREATED, { stored, credentialId: '2' });
			expect(await after.poll()).toEqual([]);
			classes().addClass({ name: 'B', createdAt: at(2) });
			expect(names(await after.poll())).toEqual(['B']);
		});

		test.each([
			['three hours', 3 * HOUR_MS],
			['twenty hours', 20 * HOUR_MS],
			['a century', 36_525 * DAY_MS],
		])('a timestamp %s in the future blinds nothing', async (_when, ahead) => {
			const { poll } = await activate(CREATED);
			await poll();
			const planned = Date.now() + ahead;
			classes().addClass({ name: 'Planned', createdAt: new Date(planned).toISOString() });
			expect(names(await poll())).toEqual(['Planned']);
			classes().addClass({ name: 'A' });
			expect(names(await poll())).toEqual(['A']);
			expect(await poll()).toEqual([]);
			const then = jest.spyOn(Date, 'now').mockReturnValue(planned + HOUR_MS);
			expect(await poll()).toEqual([]);
			classes().addClass({ name: 'B', createdAt: new Date(planned + HOUR_MS).toISOString() });
			expect(names(await poll())).toEqual(['B']);
			expect(await poll()).toEqual([]);
			then.mockRestore();
		});

		test('a class that appears a little late, with an earlier timestamp', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			classes().addClass({ name: 'A', createdAt: at(3500) });
			expect(names(await poll())).toEqual(['A']);
			classes().addClass({ name: 'Late', createdAt: at(1) });
			expect(names(await poll())).toEqual(['Late']);
			expect(await poll()).toEqual([]);
		});

		test('a class that leaves the list for a poll does not come back as new', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			const a = classes().addClass({ name: 'A', createdAt: at(1) });
			classes().addClass({ name: 'B', createdAt: at(2) });
			expect(names(await poll())).toEqual(['A', 'B']);
			classes().deleteClass(a.id);
			expect(await poll()).toEqual([]);
			classes().addClass(a);
			expect(await poll()).toEqual([]);
		});

		test('where the first poll got an empty list, old classes are not new', async () => {
			list();
			const { poll } = await activate(CREATED);
			await poll();
			const old = { id: 'old', name: 'Old', createdAt: at(-30 * 86_400) };
			list(old);
			expect(await poll()).toEqual([]);
			list(old, { id: 'new', name: 'New', createdAt: at(0) });
			expect(names(await poll())).toEqual(['New']);
		});

		// jest gives the tests a copy of the environment.
		const { env } = runInThisContext('process') as NodeJS.Process;
		describe.each(['America/Sao_Paulo', 'Asia/Tokyo'])('where n8n runs in %s', (zone) => {
			const before = env.TZ;
			beforeAll(() => {
				env.TZ = zone;
			});
			afterAll(() => {
				if (before === undefined) delete env.TZ;
				else env.TZ = before;
			});

			test.each<[string, (stamp: string) => unknown]>([
				['a T and no offset', (stamp) => stamp.replace('Z', '')],
				['a space and no offset', (stamp) => stamp.replace('T', ' ').replace('Z', '')],
				['+00:00', (stamp) => stamp.replace('Z', '+00:00')],
				['UTC', (stamp) => stamp.replace('Z', ' UTC')],
				['a space and UTC', (stamp) => stamp.replace('T', ' ').replace('Z', ' UTC')],
				['blanks around it', (stamp) => ` ${stamp}\n`],
				['seconds', (stamp) => Date.parse(stamp) / 1000],
				['seconds as text', (stamp) => `${Date.parse(stamp) / 1000}`],
				['milliseconds', (stamp) => Date.parse(stamp)],
				['milliseconds as text and blanks', (stamp) => ` ${Date.parse(stamp)} `],
			])('a timestamp with %s', async (_form, write) => {
				const [python, a, b] = [at(0), at(1), at(2)].map((createdAt) => ({
					id: createdAt,
					createdAt,
				}));
				const inForm = (entry?: IDataObject) => ({
					...entry,
					createdAt: write(entry!.id as string),
				});
				list(inForm(python) as IDataObject);
				const { poll } = await activate(CREATED);
				await poll();
				list(python!, inForm(a) as IDataObject);
				expect(await poll()).toEqual([inForm(a)]);
				list(python!, a!, inForm(b) as IDataObject);
				expect(await poll()).toEqual([inForm(b)]);
				list(python!, a!, b!);
				expect(await poll()).toEqual([]);
			});
		});

		test.each([undefined, null, 'soon', ''])(
			'a class with the timestamp %j does not silence the others',
			async (createdAt) => {
				const [odd, a, b] = [
					{ id: 'odd', name: 'Odd', createdAt },
					{ id: 'a', name: 'A', createdAt: at(1) },
					{ id: 'b', name: 'B', createdAt: at(2) },
				];
				list(odd!, a!);
				const { poll } = await activate(CREATED);
				await poll();
				list(odd!, a!, b!);
				expect(names(await poll())).toEqual(['B']);
				expect(await poll()).toEqual([]);
			},
		);

		test('a class deleted and another created between two polls', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			const [python] = bothClasses();
			classes().deleteClass(python.id);
			classes().addClass({ name: 'A', createdAt: at(1) });
			expect(names(await poll())).toEqual(['A']);
			expect(await poll()).toEqual([]);
		});

		test('a poll without news returns nothing at all, so that n8n starts no workflow', async () => {
			const { rawPoll } = await activate(CREATED);
			expect(await rawPoll()).toBeNull();
			expect(await rawPoll()).toBeNull();
			classes().addClass({ name: 'A', createdAt: at(1) });
			expect(await rawPoll()).toEqual([[{ json: expect.objectContaining({ name: 'A' }) }]]);
		});

		test('a poll does nothing while the last one is still under way', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			fixture.service.resetRecord();
			fixture.service.temper.latencyMs = 300;
			classes().addClass({ name: 'A', createdAt: at(1) });
			const found = await Promise.all([poll(), poll(), poll()]);
			expect(found.map(names)).toEqual([['A'], [], []]);
			expect(fixture.service.requests).toHaveLength(1);
			expect(await poll()).toEqual([]);
		});

		test('a poll gives up when its time is over, and the next one catches up', async () => {
			const { poll, setBudget } = await activate(CREATED);
			await poll();
			classes().addClass({ name: 'A', createdAt: at(1) });
			setBudget(1400);
			// Each page comes in time, but not both of them.
			fixture.service.temper = { latencyMs: 800, omitTotalRecords: true };
			await expect(poll()).rejects.toMatchObject({
				message: 'Reading the class list took longer than 1 second',
				description: 'Nothing was changed. Try again later.',
				failure: { cause: 'temporarily-unavailable' },
			});
			const { requests } = fixture.service;
			const sent = requests.length;
			await sleep(1000);
			expect(requests).toHaveLength(sent);
			fixture.service.temper = {};
			// It need not be a whole number.
			setBudget(36_000.5);
			expect(names(await poll())).toEqual(['A']);
		});

		test('a rate limit that lasts longer than a poll ends it at once', async () => {
			const { poll, setBudget } = await activate(CREATED);
			setBudget(36_000);
			const headers = { 'Retry-After': '50' };
			fixture.service.temper = { failWith: { status: 429, headers } };
			await expect(poll()).rejects.toMatchObject({
				message: expect.stringContaining('Too many requests (status 429)'),
				failure: { cause: 'rate-limited', retryAfterMs: 50_000 },
			});
			expect(fixture.service.requests.filter(({ status }) => status === 429)).toHaveLength(1);
		});

		test.each<[number, string, number | undefined]>([
			[401, 'credential-invalid', undefined],
			[403, 'credential-invalid', undefined],
			[404, 'configuration-invalid', undefined],
			[429, 'rate-limited', 1000],
			[503, 'temporarily-unavailable', 1000],
		])(
			'status %i says when to come back: %s',
			async (status, cause, retryAfterMs) => {
				const { poll } = await activate(CREATED);
				const seconds = (retryAfterMs ?? 0) / 1000;
				fixture.service.temper = {
					failWith: { status, headers: seconds > 0 ? { 'Retry-After': `${seconds}` } : undefined },
				};
				await expect(poll()).rejects.toMatchObject({ failure: { cause, retryAfterMs } });
			},
			60_000,
		);

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

		test('a response that lacks classes loses none of them', async () => {
			const { poll } = await activate(CREATED);
			await poll();
			fixture.allowViolations();
			classes().addClass({ id: 'early', name: 'Early', createdAt: at(1) });
			const late = classes().addClass({ id: 'late', name: 'Late', createdAt: at(2) });
			fixture.service.temper = { answerJson: { data: [late], totalRecords: 4 } };
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

		largeTest(
			'keeps little',
			async () => {
				for (let n = 0; n < 10_000; n++) {
					classes().addClass({
						name: `Class ${n}`,
						createdAt: at(-n * 1000),
					});
				}
				fixture.service.temper.maxPageSize = 100;
				const { poll, stored } = await activate(CREATED);
				await poll();
				expect(stored().length).toBeLessThan(2000);
			},
			60_000,
		);
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

		test.each<[string, createdAt: number | undefined, updatedAt: number, string[]]>([
			['999 ms after its creation', 1, 1.999, []],
			['999 ms before its creation', 1.999, 1, []],
			['a second after its creation', 1, 2, ['New']],
			['without a creation', undefined, 1, ['New']],
		])('a class that is new to the list, changed %s', async (_when, created, updated, expected) => {
			const old = { id: 'old', name: 'Old', createdAt: at(0), updatedAt: at(0) };
			list(old);
			const { poll } = await activate(UPDATED);
			await poll();
			const createdAt = created === undefined ? undefined : at(created);
			list(old, { id: 'new', name: 'New', createdAt, updatedAt: at(updated) });
			expect(names(await poll())).toEqual(expected);
		});

		test('an edit right after the creation', async () => {
			const { poll } = await activate(UPDATED);
			await poll();
			const { id } = classes().addClass({ name: 'New', createdAt: at(1) });
			classes().addClass({ name: 'Of the same moment', createdAt: at(1) });
			expect(await poll()).toEqual([]);
			classes().touchClass(id, at(1.5));
			expect(names(await poll())).toEqual(['New']);
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

		test('a list that is out of date', async () => {
			const { poll } = await activate(UPDATED);
			await poll();
			const updated = async (second: number) => {
				classes().touchClass(PYTHON.id, at(second));
				return names(await poll());
			};
			expect(await updated(20)).toEqual(['Python']);
			for (const second of [10, 20, -60, 20, 10, 20]) expect(await updated(second)).toEqual([]);
			expect(await updated(21)).toEqual(['Python']);
		});

		test('a timestamp in the future blinds nothing, not even for the class that has it', async () => {
			const { poll } = await activate(UPDATED);
			await poll();
			const [python, rust] = bothClasses();
			classes().touchClass(python.id, new Date(Date.now() + 20 * HOUR_MS).toISOString());
			expect(names(await poll())).toEqual(['Python']);
			classes().touchClass(rust.id);
			expect(names(await poll())).toEqual(['Rust']);
			classes().touchClass(python.id);
			expect(names(await poll())).toEqual(['Python']);
			expect(await poll()).toEqual([]);
		});
	});

	describe('Student Count Changed', () => {
		const COUNT = { event: 'studentCountChanged' };
		const enroll = (id: string, email = 'new@example.com') => classes().enroll([id], [{ email }]);

		test('returns the count before and after, once', async () => {
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
			const { poll } = await activate({ ...COUNT, filters: { query: 'Go' } });
			await poll();
			const [{ id }] = bothClasses();
			classes().renameClass(id, 'Go');
			expect(await poll()).toEqual([]);
			enroll(id);
			expect(names(await poll())).toEqual(['Go']);
		});

		const createdAt = '2026-01-01T00:00:00.000Z';
		const a = { id: 'a', name: 'A', createdAt, countStudents: 30 };
		const b = { id: 'b', name: 'B', createdAt: '2025-01-01T00:00:00.000Z', countStudents: 5 };

		test.each<[string, IDataObject[]]>([
			['is not in the list', [b]],
			['has no count', [b, { ...a, countStudents: undefined }]],
			['has the count null', [b, { ...a, countStudents: null }]],
			['has a text as its count', [b, { ...a, countStudents: 'thirty' }]],
			['is in no list at all', []],
		])('a class that for one poll %s keeps its count', async (_what, meanwhile) => {
			list(a, b);
			const { poll } = await activate(COUNT);
			await poll();
			list(...meanwhile);
			expect(await poll()).toEqual([]);
			list(a, b);
			expect(await poll()).toEqual([]);
			list(...meanwhile);
			expect(await poll()).toEqual([]);
			list({ ...a, countStudents: 31 }, b);
			expect(await poll()).toEqual([
				expect.objectContaining({ name: 'A', countStudents: 31, previousCountStudents: 30 }),
			]);
		});

		test('counts as text', async () => {
			list({ ...a, countStudents: '9' }, { ...b, countStudents: ' 5 ' });
			const { poll } = await activate({ ...COUNT, direction: 'increased' });
			await poll();
			list({ ...a, countStudents: '10' }, { ...b, countStudents: 5 });
			expect(await poll()).toEqual([{ ...a, countStudents: '10', previousCountStudents: 9 }]);
			expect(await poll()).toEqual([]);
		});

		test('a class that the first poll missed is not new, unless it was created just now', async () => {
			list(a);
			const { poll } = await activate(COUNT);
			await poll();
			list(a, b);
			expect(await poll()).toEqual([]);
			list(a, { ...b, countStudents: 6 }, { ...b, id: 'c', name: 'C', createdAt: at(1) });
			expect(await poll()).toEqual([
				expect.objectContaining({ name: 'B', countStudents: 6, previousCountStudents: 5 }),
				expect.objectContaining({ name: 'C', countStudents: 5, previousCountStudents: 0 }),
			]);
		});

		test.each(['constructor', '__proto__', '7'])('a class with the ID %s', async (id) => {
			list({ ...a, id });
			const first = await activate(COUNT);
			await first.poll();
			const { poll } = await activate(COUNT, { stored: first.stored() });
			expect(await poll()).toEqual([]);
			list({ ...a, id, countStudents: 31 });
			expect(await poll()).toEqual([
				expect.objectContaining({ id, countStudents: 31, previousCountStudents: 30 }),
			]);
		});

		test('a class that an incomplete list lacked is not new', async () => {
			fixture.allowViolations();
			const list = (...data: IDataObject[]) => {
				fixture.service.temper = { answerJson: { data, totalRecords: 2 } };
			};
			list({ id: 'a', name: 'A', countStudents: 1 });
			const { poll } = await activate(COUNT);
			await poll();
			list({ id: 'a', name: 'A', countStudents: 1 }, { id: 'b', name: 'B', countStudents: 5 });
			expect(await poll()).toEqual([]);
			list({ id: 'a', name: 'A', countStudents: 1 }, { id: 'b', name: 'B', countStudents: 6 });
			expect(names(await poll())).toEqual(['B']);
		});

		test('a class without a count or an ID does not matter, also beside others', async () => {
			const none = { name: 'No ID' };
			list(
				{ id: 'a', name: 'A' },
				{ id: 'b', name: 'B', countStudents: 1 },
				{ ...none, countStudents: 1 },
			);
			const { poll } = await activate(COUNT);
			await poll();
			list(
				{ id: 'a', name: 'A' },
				{ id: 'b', name: 'B', countStudents: 2 },
				{ ...none, countStudents: 2 },
			);
			expect(names(await poll())).toEqual(['B']);
		});

		largeTest(
			'keeps less than 600 kB for 10,000 classes',
			async () => {
				for (let n = 0; n < 10_000; n++) {
					const createdAt = at(-n * 1000);
					const id = `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
					classes().addClass({ id, name: `Class ${n}`, createdAt, countStudents: n });
				}
				const { poll, stored } = await activate(COUNT);
				await poll();
				expect(stored().length).toBeLessThan(600_000);
				expect(await poll()).toEqual([]);
			},
			60_000,
		);
	});

	/** When n8n stores what a poll left in static data. */
	describe.each([
		{ stores: 'at activation and after a poll with news', isDurable: false },
		{ stores: 'after every poll but the one at activation', isDurable: true },
	])('where n8n stores what it saw $stores', ({ isDurable }) => {
		/** A workflow with the trigger, in an n8n that may be restarted. */
		function publish(parameters: INodeParameters) {
			let stored = '{}';
			let running: Polling;
			let service: Pick<Service, 'baseUrl' | 'accessToken'> = fixture.service;
			let credentialId = '1';
			const start = async (activation: WorkflowActivateMode) => {
				running = await activate(parameters, { stored, activation, service, credentialId });
			};
			const pollAndStore = async (always: boolean) => {
				const found = await running.poll();
				if (always || found.length > 0) stored = running.stored();
				return names(found);
			};
			return {
				switchOn: async () => {
					await start('activate');
					return await pollAndStore(!isDurable);
				},
				/** After n8n was killed. The durable scheduler does not poll then. */
				restart: async () => {
					if (isDurable) return [];
					await start('init');
					return await pollAndStore(true);
				},
				poll: async () => {
					// The durable scheduler starts every poll from what is stored.
					if (isDurable) await start('update');
					return await pollAndStore(isDurable);
				},
				change: (parts: INodeParameters) => Object.assign(parameters, parts),
				moveTo: (baseUrl: string) => {
					service = { ...fixture.service, baseUrl };
				},
				chooseCredential: (id: string) => {
					credentialId = id;
				},
			};
		}

		test('everything comes once, whatever happens in between', async () => {
			const workflow = publish({ event: 'classCreated' });
			expect(await workflow.switchOn()).toEqual([]);
			expect(await workflow.poll()).toEqual([]);

			classes().addClass({ name: 'A', createdAt: at(1) });
			classes().addClass({ name: 'B', createdAt: at(1) });
			expect(await workflow.poll()).toEqual(['A', 'B']);
			expect(await workflow.poll()).toEqual([]);

			classes().addClass({ name: 'During an outage', createdAt: at(2) });
			fixture.service.temper = { failWith: { status: 400 } };
			await expect(workflow.poll()).rejects.toThrow();
			fixture.service.temper = {};
			expect(await workflow.poll()).toEqual(['During an outage']);

			classes().addClass({ name: 'While killed', createdAt: at(3) });
			const found = await workflow.restart();
			expect([...found, ...(await workflow.poll())]).toEqual(['While killed']);
			expect(await workflow.poll()).toEqual([]);

			classes().addClass({ name: 'While off', createdAt: at(4) });
			expect(await workflow.switchOn()).toEqual(['While off']);
			expect(await workflow.poll()).toEqual([]);

			classes().addClass({ name: 'Planned', createdAt: at(30 * 3600) });
			expect(await workflow.poll()).toEqual(['Planned']);
			await workflow.restart();
			classes().addClass({ name: 'Late', createdAt: at(3) });
			expect(await workflow.poll()).toEqual(['Late']);
			expect(await workflow.restart()).toEqual([]);
			expect(await workflow.poll()).toEqual([]);
		});

		test('a change of what it watches starts with the current state', async () => {
			const workflow = publish({ event: 'classCreated' });
			await workflow.switchOn();
			await workflow.poll();
			const changes: Array<() => unknown> = [
				() => workflow.change({ filters: { query: 'a' } }),
				() => workflow.change({ event: 'classUpdated' }),
				() => workflow.moveTo(fixture.service.baseUrl.replace('127.0.0.1', 'localhost')),
				() => workflow.chooseCredential('2'),
			];
			for (const [n, change] of changes.entries()) {
				classes().addClass({ name: `a${n}`, createdAt: at(n), updatedAt: at(n + 5) });
				change();
				expect(await workflow.switchOn()).toEqual([]);
				expect(await workflow.poll()).toEqual([]);
				classes().addClass({ name: `ab${n}`, createdAt: at(n + 0.5), updatedAt: at(n + 5.5) });
				expect(await workflow.poll()).toEqual([`ab${n}`]);
				expect(await workflow.poll()).toEqual([]);
			}
		});

		test.each(['increased', 'decreased'])('a count that is not %s moves on', async (direction) => {
			const workflow = publish({ event: 'studentCountChanged', direction });
			await workflow.switchOn();
			await workflow.poll();
			const [{ id }] = bothClasses();
			const add = () => classes().enroll([id], [{ email: 'new@example.com' }]);
			const remove = () => classes().remove([id], 'new@example.com');
			const [unwanted, wanted] = direction === 'increased' ? [remove, add] : [add, remove];
			if (direction === 'increased') {
				add();
				await workflow.poll();
			}
			unwanted();
			expect(await workflow.poll()).toEqual([]);
			wanted();
			expect(await workflow.poll()).toEqual(['Python']);
			expect(await workflow.poll()).toEqual([]);
		});
	});

	test('of two polls that n8n starts from the same stored state, only one reports', async () => {
		const first = await activate({ event: 'classCreated' });
		await first.poll();
		const stored = first.stored();
		classes().addClass({ name: 'A', createdAt: at(1) });
		const [one, two] = [
			await activate({ event: 'classCreated' }, { stored }),
			await activate({ event: 'classCreated' }, { stored }),
		];
		expect(names(await one.poll())).toEqual(['A']);
		expect(await two.poll()).toEqual([]);
		expect(two.stored()).toBe(stored);
		// If n8n stored nothing, it is reported again later.
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 31_000);
		const later = await activate({ event: 'classCreated' }, { stored });
		expect(names(await later.poll())).toEqual(['A']);
		now.mockRestore();
	});

	test('an event that there is not', async () => {
		const { poll } = await activate({ event: 'classVanished' });
		await expect(poll()).rejects.toMatchObject({
			message: `'Trigger On' has no option "classVanished" [trigger]`,
			failure: { cause: 'configuration-invalid' },
		});
	});

	describe('a manual test', () => {
		const MANUAL: Activation = { activation: 'manual', mode: 'manual' };

		test('gives a real class and forgets it', async () => {
			const { poll, stored } = await activate({ event: 'classCreated' }, MANUAL);
			const [{ students: _students, ...python }] = classes().listClasses() as [
				ReturnType<Service['classes']['listClasses']>[number],
			];
			expect(await poll()).toEqual([python]);
			expect(python).toMatchObject({ name: 'Python', countStudents: 1 });
			expect(fixture.service.requests.map(({ query }) => query)).toEqual([{ pageSize: '1' }]);
			expect(stored()).toBe('{}');
		});

		test('gives the count its fields', async () => {
			const { poll } = await activate({ event: 'studentCountChanged' }, MANUAL);
			expect(await poll()).toEqual([
				expect.objectContaining({ name: 'Python', countStudents: 1, previousCountStudents: 1 }),
			]);
		});

		test('says that there is no class yet', async () => {
			for (const { id } of classes().listClasses()) classes().deleteClass(id);
			const { poll } = await activate({ event: 'classCreated' }, MANUAL);
			await expect(poll()).rejects.toMatchObject({
				message: 'No class found to use as sample data',
				description: 'Create a class in the service, then test again.',
			});
		});

		test('says that there is no class', async () => {
			const { poll } = await activate(
				{ event: 'classCreated', filters: { query: 'none' } },
				MANUAL,
			);
			await expect(poll()).rejects.toMatchObject({
				message: 'No class found to use as sample data',
				description: `No class name contains "none". Change 'Name Contains' or create a matching class.`,
			});
		});
	});
});
