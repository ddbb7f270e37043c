import { type IDataObject, type INodeParameters, NodeConnectionTypes } from 'n8n-workflow';
import { setTimeout as sleep } from 'node:timers/promises';
import { received, type RequestRecord, startService, type Temper } from '../service/service';
import { type RetryOf, type RunOptions, type RunResult, saved } from './engine';
import {
	byId,
	emailOf,
	jsonOf,
	linkOf,
	PYTHON,
	rows,
	RUST,
	STUDENT_WRITES,
	useService,
	VALID,
	WRITES,
} from './fixture';

const ONE_BY_ONE = { requestOptions: { maxConcurrentRequests: 1 } };
const EMAIL_OF_ITEM = { email: '={{ $json.email }}', ...ONE_BY_ONE };
const IN_TWOS = { options: { batchSize: 2 }, ...ONE_BY_ONE };
const WORKFLOWS = ['current', 'original'] as const;
const PER_ITEM = STUDENT_WRITES.map(({ operation }) => operation).filter(
	(operation) => operation !== 'addManyToClass',
);
const NODE_CONTEXT = 'node:Class Enrollment';

const fixture = useService();

const isFor = (email: string) => (request: RequestRecord) =>
	JSON.stringify(request.body ?? '').includes(`"${email}"`);

/** Lets the service refuse what concerns one student, so many times. */
function refuse(email: string, times = 1): void {
	fixture.service.temper.failWith = { status: 400, times, only: isFor(email) };
}

/** Numbers the responses, so that an output item shows which one it was made from. */
function numberResponses(): void {
	fixture.service.temper.onRequest = () => {
		fixture.service.temper.extraAnswerFields = { number: fixture.service.requests.length };
	};
}

const numbersOf = ({ items }: RunResult) => items.map(({ json }) => json.number);

/** The students of each request that was answered with success. */
const done = () =>
	fixture.service.requests
		.filter(({ status }) => status === 200)
		.map(({ body }) => {
			const { email, students } = body as { email: string; students?: Array<{ email: string }> };
			return students ? students.map((student) => student.email) : email;
		});

function enrollAll(count: number): void {
	fixture.service.classes.enroll([PYTHON.id, RUST.id], rows(count));
}

/** Runs an operation, and then n8n's Retry of the execution, which must have failed. */
async function runAndRetry(
	operation: string,
	parameters: INodeParameters,
	options: Partial<RunOptions> = {},
	{
		workflow = 'original',
		change,
		between,
	}: {
		workflow?: RetryOf['workflow'];
		change?: INodeParameters;
		between?: () => void | Promise<void>;
	} = {},
) {
	const first = await fixture.student(operation, parameters, options);
	expect(first.error).toBeDefined();
	await between?.();
	const retryOf = { run: first.run, workflow } as const;
	const retried = { ...parameters, ...change };
	const second = await fixture.student(operation, retried, { ...options, retryOf });
	return { first, second };
}

const contextOf = ({ run }: RunResult) => run.data.executionData!.contextData;

describe("n8n's Retry of a failed execution", () => {
	describe.each(WORKFLOWS)('with the %s workflow', (workflow) => {
		test.each(PER_ITEM)('%s does the rest, and nothing twice', async (operation) => {
			enrollAll(5);
			numberResponses();
			refuse(emailOf(2));
			const parameters = { ...VALID[operation], ...EMAIL_OF_ITEM };
			const { second } = await runAndRetry(operation, parameters, { items: rows(5) }, { workflow });
			expect(second.error).toBeUndefined();
			expect(done()).toEqual([0, 1, 2, 3, 4].map(emailOf));
			expect(jsonOf(second.items).map(({ email }) => email)).toEqual([0, 1, 2, 3, 4].map(emailOf));
			expect(second.items.map(linkOf)).toEqual([0, 1, 2, 3, 4]);
			expect(numbersOf(second)).toEqual([1, 2, 4, 5, 6]);
		});

		test.each(WRITES)('$name is not done again', async (operation) => {
			enrollAll(2);
			let count = 0;
			const refusal: Temper = { failWith: { status: 400 } };
			fixture.service.temper.forRequest = () => (++count === 2 ? refusal : {});
			const parameters = { ...operation.ofItem, options: { batchSize: 1 }, ...ONE_BY_ONE };
			const options = { items: rows(2) };
			const first = await fixture.run(operation, parameters, options);
			expect(first.error).toBeDefined();
			const retryOf = { run: first.run, workflow };
			const second = await fixture.run(operation, parameters, { ...options, retryOf });
			expect(second.error).toBeUndefined();
			expect(second.items.map(linkOf)).toEqual([0, 1]);
			expect(fixture.service.requests.map(({ status }) => status)).toEqual([200, 400, 200]);
		});

		test('Add Many sends only the batches that were not added', async () => {
			numberResponses();
			fixture.service.temper.refuseEnrolled = true;
			refuse(emailOf(3));
			const options = { items: rows(7) };
			const { second } = await runAndRetry('addManyToClass', IN_TWOS, options, { workflow });
			expect(second.error).toBeUndefined();
			expect(done()).toEqual([[0, 1], [2, 3], [4, 5], [6]].map((batch) => batch.map(emailOf)));
			expect(jsonOf(second.items).map(({ email }) => email)).toEqual(
				rows(7).map(({ email }) => email),
			);
			expect(second.items.map(linkOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
			expect(numbersOf(second)).toEqual([1, 1, 3, 3, 4, 4, 5]);
		});
	});

	test('the outputs of what was done come out as they were, to the last field', async () => {
		fixture.service.temper.extraAnswerFields = {
			note: null,
			tags: ['a', 'b'],
			deep: { er: { than: 1 } },
			'a.b': '',
		};
		const parameters = { ...EMAIL_OF_ITEM, redirectUrl: 'https://example.com/' };
		const once = await fixture.student('sendMagicLink', parameters, { items: rows(2) });
		fixture.service.resetRecord();
		refuse(emailOf(1));
		const { second } = await runAndRetry('sendMagicLink', parameters, { items: rows(2) });
		const [item] = second.items;
		expect(item).toEqual({
			json: { ...once.items[0]!.json, expiresAt: expect.any(String) as string },
			pairedItem: { item: 0 },
		});
		expect(Object.keys(item!.json)).toEqual(Object.keys(once.items[0]!.json));
	});

	test('several times in a row', async () => {
		numberResponses();
		refuse(emailOf(1));
		const options = { items: rows(4) };
		const { second } = await runAndRetry('sendMagicLink', EMAIL_OF_ITEM, options, {
			between: () => refuse(emailOf(2)),
		});
		expect(second.error).toBeDefined();
		refuse(emailOf(3));
		const again = async ({ run }: RunResult) =>
			await fixture.student('sendMagicLink', EMAIL_OF_ITEM, {
				...options,
				retryOf: { run, workflow: 'original' },
			});
		const third = await again(second);
		expect(third.error).toBeDefined();
		const fourth = await again(third);
		expect(fourth.error).toBeUndefined();
		expect(done()).toEqual([0, 1, 2, 3].map(emailOf));
		expect(numbersOf(fourth)).toEqual([1, 3, 5, 7]);
	});

	test('after Retry On Fail', async () => {
		refuse(emailOf(2), 4);
		const options = { items: rows(4), maxTries: 3 };
		const { second } = await runAndRetry('sendMagicLink', EMAIL_OF_ITEM, options);
		expect(second.error).toBeUndefined();
		expect(done()).toEqual([0, 1, 2, 3].map(emailOf));
		expect(second.items.map(linkOf)).toEqual([0, 1, 2, 3]);
	});

	test('after an invalid item, which kept everything from being sent', async () => {
		const items = [...rows(2), { email: 'nobody' }];
		const parameters = { ...EMAIL_OF_ITEM, email: '={{ $json.email }}' };
		const change = { email: '={{ $json.email === "nobody" ? "c@example.com" : $json.email }}' };
		const options = { items };
		const { second } = await runAndRetry('sendMagicLink', parameters, options, {
			workflow: 'current',
			change,
		});
		expect(second.error).toBeUndefined();
		expect(done()).toEqual([emailOf(0), emailOf(1), 'c@example.com']);
	});

	describe('in a loop', () => {
		test.each(WORKFLOWS)('goes on in the round that failed (%s)', async (workflow) => {
			const emails = [0, 1].map(emailOf);
			let count = 0;
			fixture.service.temper.failWith = { status: 400, times: 1, only: () => ++count === 4 };
			const { second } = await runAndRetry(
				'sendMagicLink',
				EMAIL_OF_ITEM,
				{ items: rows(2), rounds: 3 },
				{ workflow },
			);
			expect(second.error).toBeUndefined();
			expect(done()).toEqual([...emails, ...emails, ...emails]);
			const runs = second.run.data.resultData.runData['Class Enrollment']!;
			expect(runs.map(({ data }) => jsonOf(data!.main![0]!).map(({ email }) => email))).toEqual([
				emails,
				emails,
				emails,
			]);
		});
	});

	describe('after the user has changed the node', () => {
		const retryChanged = async (
			operation: string,
			parameters: INodeParameters,
			change: INodeParameters,
			options: Partial<RunOptions> = {},
		) => {
			enrollAll(3);
			numberResponses();
			refuse(emailOf(2));
			const result = await runAndRetry(
				operation,
				{ ...VALID[operation], ...EMAIL_OF_ITEM, ...parameters },
				{ items: rows(3), ...options },
				{ workflow: 'current', change },
			);
			expect(result.second.error).toBeUndefined();
			return result;
		};
		const ALL_AGAIN = [0, 1, 0, 1, 2].map(emailOf);
		const THE_REST = [0, 1, 2].map(emailOf);

		const CHANGES: Array<[operation: string, before: INodeParameters, change: INodeParameters]> = [
			['sendMagicLink', {}, { redirectUrl: 'https://example.com/' }],
			['addToClass', {}, { name: 'Student' }],
			['addToClass', { name: 'Studnet' }, { name: 'Student' }],
			['addToClass', { name: 'Student' }, { name: '' }],
			['addToClass', {}, { classId: byId(RUST.id) }],
			['addToClasses', {}, { classIds: [RUST.id] }],
			['removeFromClass', {}, { classId: byId(RUST.id) }],
			['removeFromClasses', { classIds: [PYTHON.id] }, { classIds: [RUST.id] }],
			[
				'addToClass',
				{ accessExpiration: 'date', expirationDate: '2030-01-31' },
				{ expirationDate: '2031-01-31' },
			],
			[
				'addToClass',
				{ accessExpiration: 'date', expirationDate: '2030-01-31' },
				{ accessExpiration: 'none' },
			],
			['addToClasses', { accessExpiration: 'duration', durationAmount: 1 }, { durationAmount: 12 }],
		];

		test.each(CHANGES)(
			'%s does what it now says: %j, then %j',
			async (operation, before, change) => {
				const { second } = await retryChanged(operation, before, change);
				expect(done()).toEqual(ALL_AGAIN);
				expect(numbersOf(second)).toEqual([4, 5, 6]);
			},
		);

		test('another operation is another change', async () => {
			await retryChanged('removeFromClass', {}, { operation: 'addToClass' });
			expect(received(fixture.service).map(({ method }) => method)).toEqual([
				...['DELETE', 'DELETE', 'DELETE'],
				...['POST', 'POST', 'POST'],
			]);
		});

		test.each<[operation: string, change: INodeParameters]>([
			['sendMagicLink', { requestOptions: { maxRetries: 0, timeout: 5000 } }],
			['sendMagicLink', { email: '={{ $json.email.trim() }}' }],
			['removeFromClass', { email: '={{ $json.email.toLowerCase() }}' }],
			['addToClass', { classId: byId(`={{ "${PYTHON.id}" }}`) }],
			['addToClass', { requestOptions: { maxConcurrentRequests: 2 } }],
		])('%s repeats nothing where it does the same: %j', async (operation, change) => {
			const { second } = await retryChanged(operation, {}, change);
			expect(done()).toEqual(THE_REST);
			expect(numbersOf(second)).toEqual([1, 2, 4]);
		});

		test('Add Many adds again whom the new parameters change, and only them', async () => {
			const items = rows(6).map((row, index) => ({
				...row,
				to: index === 1 ? RUST.id : PYTHON.id,
			}));
			refuse(emailOf(4));
			const { second } = await runAndRetry(
				'addManyToClass',
				IN_TWOS,
				{ items },
				{ workflow: 'current', change: { classId: byId('={{ $json.to }}') } },
			);
			expect(second.error).toBeUndefined();
			expect(received(fixture.service).slice(3)).toMatchObject([
				{ path: `/classe/${RUST.id}/add-students`, body: { students: [{ email: emailOf(1) }] } },
				{ path: `/classe/${PYTHON.id}/add-students`, body: { students: rows(6).slice(4) } },
			]);
		});

		test('what was done before a change is not taken for what it asks in a third try', async () => {
			refuse(emailOf(1));
			const parameters = { ...EMAIL_OF_ITEM, name: 'Before' };
			const change = { name: 'After' };
			const { second } = await runAndRetry(
				'addToClass',
				parameters,
				{ items: rows(2) },
				{
					workflow: 'current',
					change,
					// Nothing is done in the second try.
					between: () => {
						fixture.service.temper.failWith = { status: 400, times: 1 };
					},
				},
			);
			expect(second.error).toBeDefined();
			const third = await fixture.student(
				'addToClass',
				{ ...parameters, ...change },
				{ items: rows(2), retryOf: { run: second.run, workflow: 'current' } },
			);
			expect(third.error).toBeUndefined();
			expect(fixture.service.classes.studentsOf(PYTHON.id)).toMatchObject([
				{},
				{ email: emailOf(0), name: 'After' },
				{ email: emailOf(1), name: 'After' },
			]);
		});

		test('another service knows nothing of what the first one did', async () => {
			const other = await startService();
			try {
				other.classes.addClass(PYTHON);
				refuse(emailOf(1));
				const first = await fixture.student('addToClass', EMAIL_OF_ITEM, { items: rows(2) });
				const { error } = await fixture.student('addToClass', EMAIL_OF_ITEM, {
					items: rows(2),
					credential: other,
					retryOf: { run: first.run, workflow: 'current' },
				});
				expect(error).toBeUndefined();
				expect(other.requests).toHaveLength(2);
			} finally {
				await other.close();
			}
		});
	});

	describe('because time has passed', () => {
		const DURATION = { accessExpiration: 'duration', durationAmount: 12 };

		test.each<[operation: string, parameters: INodeParameters, change: INodeParameters]>([
			['addToClass', DURATION, {}],
			['addToClass', DURATION, { requestOptions: { maxRetries: 0 } }],
			['addToClass', { accessExpiration: 'date', expirationDate: '={{ $now.plus(9e9) }}' }, {}],
			['addManyToClass', DURATION, {}],
			['addManyToClass', DURATION, { options: { batchSize: 1 } }],
			['sendMagicLink', { redirectUrl: '=https://example.com/?at={{ $now.toMillis() }}' }, {}],
		])('%s is not repeated: %j, then %j', async (operation, parameters, change) => {
			refuse(emailOf(2));
			const batch = operation === 'addManyToClass' ? IN_TWOS : EMAIL_OF_ITEM;
			const { second } = await runAndRetry(
				operation,
				{ ...batch, ...parameters },
				{ items: rows(4) },
				{ workflow: 'current', change, between: async () => await sleep(1000) },
			);
			expect(second.error).toBeUndefined();
			expect(done().flat()).toEqual([0, 1, 2, 3].map(emailOf));
			const sent = fixture.service.requests[0]!.body as {
				students?: IDataObject[];
			} & IDataObject;
			const { redirectUrl, expirationDate } = sent.students?.[0] ?? sent;
			expect(second.items[0]!.json).toMatchObject(
				redirectUrl ? { redirectUrl } : { expirationDate },
			);
		});
	});

	test('items that come out as they were share nothing', async () => {
		refuse(emailOf(2));
		const parameters = { ...VALID.addToClasses, ...EMAIL_OF_ITEM };
		const { second } = await runAndRetry('addToClasses', parameters, { items: rows(3) });
		const [a, b] = second.items;
		expect(a!.json.classIds).toEqual(b!.json.classIds);
		expect(a!.json.classIds).not.toBe(b!.json.classIds);
	});

	test('what has succeeded is not unknown when the user changes it', async () => {
		const refuseWith = (status: number, n: number) => {
			fixture.service.temper.failWith = { status, times: 1, only: isFor(emailOf(n)) };
		};
		refuseWith(500, 0);
		const options = { items: rows(2) };
		const { second } = await runAndRetry('addToClass', EMAIL_OF_ITEM, options, {
			between: () => refuse(emailOf(1)),
		});
		refuseWith(400, 0);
		const parameters = { ...EMAIL_OF_ITEM, name: 'Student' };
		const { error } = await fixture.student('addToClass', parameters, {
			...options,
			retryOf: { run: second.run, workflow: 'current' },
		});
		expect(`${error?.message} ${error?.description}`).toContain('rejected');
		expect(`${error?.message} ${error?.description}`).not.toMatch(/unknown whether/i);
	});

	test('two nodes of one workflow keep their own records', async () => {
		refuse(emailOf(1));
		const next = { resource: 'student', operation: 'sendMagicLink', ...EMAIL_OF_ITEM };
		const options = { items: rows(2), next };
		const { first, second } = await runAndRetry('sendMagicLink', EMAIL_OF_ITEM, options, {
			between: () => refuse(emailOf(0)),
		});
		expect(first.error).toBeDefined();
		expect(second.error).toBeDefined();
		expect(done()).toEqual([0, 1].map(emailOf));
		const third = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, {
			...options,
			retryOf: { run: second.run, workflow: 'original' },
		});
		expect(third.error).toBeUndefined();
		expect(done()).toEqual([0, 1, 0, 1].map(emailOf));
	});

	test('a credential that cannot be used makes a retry forget nothing', async () => {
		refuse(emailOf(1));
		const credential = { ...fixture.service, baseUrl: 'example.com' };
		const first = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, { items: rows(2) });
		let { run } = first;
		for (const options of [{ credential }, {}]) {
			const retryOf = { run, workflow: 'original' } as const;
			const retry = { items: rows(2), retryOf, ...options };
			({ run } = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, retry));
		}
		expect(run.data.resultData.error).toBeUndefined();
		expect(done()).toEqual([0, 1].map(emailOf));
	});

	test.each<[operation: string, parameters: INodeParameters]>([
		['sendMagicLink', EMAIL_OF_ITEM],
		['addManyToClass', IN_TWOS],
	])('%s: what is unknown stays so until it succeeds', async (operation, parameters) => {
		const failWith = (status: number) => {
			fixture.service.temper.failWith = { status, times: 1, only: isFor(emailOf(2)) };
		};
		failWith(500);
		const options = { items: rows(4) };
		const { first, second } = await runAndRetry(operation, parameters, options, {
			between: () => failWith(400),
		});
		for (const { error } of [first, second]) {
			expect(`${error?.message} ${error?.description}`).toMatch(/unknown/i);
			expect(error?.description).not.toContain('Nothing was changed');
		}
		const third = await fixture.student(operation, parameters, {
			...options,
			retryOf: { run: second.run, workflow: 'original' },
		});
		expect(third.error).toBeUndefined();
		expect(done().flat()).toEqual([0, 1, 2, 3].map(emailOf));
	});

	test('two items for one student are two changes', async () => {
		const items = [emailOf(0), emailOf(0), emailOf(1)].map((email) => ({ email }));
		refuse(emailOf(1));
		await runAndRetry('sendMagicLink', EMAIL_OF_ITEM, { items });
		expect(done()).toEqual([emailOf(0), emailOf(0), emailOf(1)]);
	});

	test('reading is repeated', async () => {
		fixture.service.temper.failWith = {
			status: 403,
			times: 1,
			only: ({ query }) => query.query === 'R',
		};
		const parameters = { filters: { query: '={{ $json.name }}' }, ...ONE_BY_ONE };
		const items = [{ name: 'P' }, { name: 'R' }];
		const { run, error } = await fixture.classes(parameters, { items });
		expect(error).toBeDefined();
		const second = await fixture.classes(parameters, {
			items,
			retryOf: { run, workflow: 'original' },
		});
		expect(jsonOf(second.items).map(({ name }) => name)).toEqual([PYTHON.name, RUST.name]);
		expect(fixture.service.requests).toHaveLength(4);
	});
});

describe('the saved execution', () => {
	test.each(['sendMagicLink', 'addManyToClass'])(
		'%s adds nothing to a success',
		async (operation) => {
			const parameters = operation === 'addManyToClass' ? {} : EMAIL_OF_ITEM;
			const result = await fixture.student(operation, parameters, { items: rows(3), maxTries: 3 });
			expect(contextOf(result)).toEqual({});
		},
	);

	test('adds nothing where no item was done', async () => {
		refuse(emailOf(0));
		const result = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, { items: rows(2) });
		expect(result.error).toBeDefined();
		expect(contextOf(result)).toEqual({});
	});

	test('adds nothing under "continue", where n8n has nothing to retry', async () => {
		refuse(emailOf(1));
		const options = { items: rows(3), onError: 'continueRegularOutput' } as const;
		const result = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, options);
		expect(result.error).toBeUndefined();
		expect(contextOf(result)).toEqual({});
	});

	test("adds nothing for an agent's tool, which the agent may call once more on purpose", async () => {
		refuse(emailOf(1));
		const settings = { rewireOutputLogTo: NodeConnectionTypes.AiTool };
		const options = { items: rows(3), settings };
		const result = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, options);
		expect(done()).toEqual([emailOf(0)]);
		expect(contextOf(result)).toEqual({});
	});

	test('keeps nothing once Retry On Fail has succeeded', async () => {
		refuse(emailOf(1));
		const options = { items: rows(3), maxTries: 3 };
		const result = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, options);
		expect(result.error).toBeUndefined();
		expect(contextOf(result)[NODE_CONTEXT] ?? {}).toEqual({});
	});

	test('keeps nothing once a retry has succeeded', async () => {
		refuse(emailOf(1));
		const { first, second } = await runAndRetry('sendMagicLink', EMAIL_OF_ITEM, { items: rows(3) });
		expect(contextOf(first)[NODE_CONTEXT]).not.toEqual({});
		expect(contextOf(second)).toEqual({ [NODE_CONTEXT]: {} });
	});

	test('grows little: 5,000 rows, of which the 40th batch is refused', async () => {
		const items = rows(5000).map((row, n) => ({ ...row, name: `Student ${n}` }));
		refuse(emailOf(3950));
		const parameters = { ...ONE_BY_ONE, accessExpiration: 'duration', durationAmount: 12 };
		const { first, second } = await runAndRetry('addManyToClass', parameters, { items });
		expect(second.error).toBeUndefined();
		expect(second.items).toHaveLength(5000);
		expect(fixture.service.requests).toHaveLength(40 + 11);
		expect(second.items.map(linkOf)).toEqual(items.map((_, index) => index));

		const whole = saved(first.run).length;
		Object.values(contextOf(first)).forEach((context) => {
			for (const name of Object.keys(context)) delete context[name];
		});
		const growth = whole - saved(first.run).length;
		expect(growth).toBeGreaterThan(0);
		expect(growth).toBeLessThan(100 * 3900);
	});
});
