import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { received, type RequestRecord } from '../service/service';
import { callTool } from './agent';
import type { RunOptions } from './engine';
import {
	byId,
	EMAIL_OF_ITEM,
	emailOf,
	jsonOf,
	linkOf,
	PYTHON,
	rows,
	RUST,
	useService,
} from './fixture';

// n8n's first engine, and its routing, which Engine 2.0 and n8n's Agents run: what is promised holds in both.
const WAYS = ['step', 'routing'] as const;
const ONE_BY_ONE = { requestOptions: { maxConcurrentRequests: 1 } };
const BAD = 'admin@example.com';

const fixture = useService();

const links = async (parameters: INodeParameters, options: Partial<RunOptions>) =>
	await fixture.student('sendMagicLink', { ...EMAIL_OF_ITEM, ...parameters }, options);
const emailsSent = () => fixture.service.magicLinks.map(({ email }) => email);
const isFor = (email: string) => (request: RequestRecord) =>
	JSON.stringify(request.body ?? '').includes(`"${email}"`);

function withRow(index: number, row: IDataObject, count = 20): IDataObject[] {
	return rows(count).map((other, n) => (n === index ? row : other));
}

describe.each(WAYS)('many items, run as a %s', (way) => {
	test('Add Many sends 300 students in 3 requests', async () => {
		const { items } = await fixture.student('addManyToClass', {}, { way, items: rows(300) });
		expect(items.map(linkOf)).toEqual(rows(300).map((_, index) => index));
		expect(jsonOf(items).map(({ email }) => email)).toEqual(rows(300).map(({ email }) => email));
		expect(fixture.service.requests).toHaveLength(3);
	});

	test('Add to Class keeps 300 requests to 10 in flight', async () => {
		fixture.service.temper.latencyMs = 5;
		const { items } = await fixture.student('addToClass', EMAIL_OF_ITEM, {
			way,
			items: rows(300),
		});
		expect(items).toHaveLength(300);
		expect(fixture.service.peakInFlight).toBe(10);
	});

	test('an invalid address keeps every link from going out', async () => {
		const { error } = await links({}, { way, items: withRow(7, { email: 'nobody' }) });
		expect(error?.message).toContain("'Email' is not an email address");
		expect(error?.context).toMatchObject({ itemIndex: 7 });
		expect(fixture.service.requests).toEqual([]);
	});

	test('an expression that fails keeps every link from going out', async () => {
		const email = '={{ $itemIndex === 7 ? $("Nowhere").item.json.email : $json.email }}';
		const { error } = await links({ email }, { way, items: rows(20) });
		expect(error?.context).toMatchObject({ itemIndex: 7 });
		await new Promise((resolve) => setTimeout(resolve, 100));
		expect(fixture.service.requests).toEqual([]);
	});

	test('nothing more is started after a link that is refused', async () => {
		const items = withRow(5, { email: BAD });
		const { error } = await links(ONE_BY_ONE, { way, items });
		expect(error?.message).toContain('administrative account');
		expect(error?.context).toMatchObject({ itemIndex: 5 });
		expect(error?.description).toContain('Processed 5 of 20 items (0-4).');
		expect(fixture.service.requests).toHaveLength(6);
	});

	test('a batch that is refused says what was added, with the item at fault', async () => {
		fixture.service.temper.rejectEmails = [emailOf(5)];
		const parameters = { ...ONE_BY_ONE, options: { batchSize: 4 } };
		const { error } = await fixture.student('addManyToClass', parameters, { way, items: rows(20) });
		expect(error?.message).toContain('added: items 0-3; not added: items 4-19');
		expect(error?.context).toMatchObject({ itemIndex: 4 });
		expect(fixture.service.requests).toHaveLength(2);
	});

	test('with "continue" each item has its own outcome', async () => {
		const items = [...withRow(2, { email: 'nobody' }, 4), { email: BAD }];
		const { items: output } = await links({}, { way, items, onError: 'continueRegularOutput' });
		expect(output.map(linkOf)).toEqual([0, 1, 2, 3, 4]);
		expect(jsonOf(output)).toMatchObject([
			{ success: true, email: emailOf(0) },
			{ success: true, email: emailOf(1) },
			{ error: expect.stringContaining("'Email' is not an email address") as string },
			{ success: true, email: emailOf(3) },
			{ error: expect.stringContaining('administrative account') as string },
		]);
	});

	test('lists of students in several items are one import', async () => {
		const parameters = { studentsFrom: 'json', studentsJson: '={{ $json.students }}' };
		const students = [rows(3), rows(5).slice(2)];
		const { items } = await fixture.student('addManyToClass', parameters, {
			way,
			items: students.map((list) => ({ students: list })),
		});
		expect(items.map(linkOf)).toEqual([0, 0, 0, 1, 1, 1]);
		expect(received(fixture.service).map(({ body }) => body)).toEqual([{ students: rows(5) }]);
	});

	test('Execute Once takes the first item alone', async () => {
		const settings = { executeOnce: true };
		const { items } = await links({}, { way, items: rows(3), settings });
		expect(jsonOf(items)).toMatchObject([{ email: emailOf(0) }]);
		expect(emailsSent()).toEqual([emailOf(0)]);
	});

	test('Get Many gives each item its own classes', async () => {
		const parameters = { filters: { query: '={{ $json.name }}' } };
		const items = [RUST, PYTHON, RUST];
		const { items: output } = await fixture.classes(parameters, { way, items });
		expect(jsonOf(output).map(({ name }) => name)).toEqual(items.map(({ name }) => name));
		expect(output.map(linkOf)).toEqual([0, 1, 2]);
	});
});

describe("n8n's Batching, in the routing", () => {
	const inWaves = (batchSize: number, batchInterval = 100): INodeParameters => ({
		requestOptions: { batching: { batch: { batchSize, batchInterval } } },
	});

	test('every wave is a run', async () => {
		const options = { way: 'routing', items: rows(7) } as const;
		const { items, error } = await fixture.student('addManyToClass', inWaves(3), options);
		expect(error).toBeUndefined();
		expect(items.map(linkOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
		const sent = received(fixture.service).map(({ body }) => body as { students: unknown[] });
		expect(sent.map(({ students }) => students.length)).toEqual([3, 3, 1]);
	});

	test.each([0, 1])('no wave is started after one that failed: item %i', async (index) => {
		const options = { way: 'routing', items: withRow(index, { email: BAD }, 6) } as const;
		const { error } = await links(inWaves(2), options);
		expect(error?.context).toMatchObject({ itemIndex: index });
		expect(emailsSent()).toEqual([emailOf(1 - index)]);
	});

	test('a wave waits for the one before', async () => {
		fixture.service.temper.latencyMs = 300;
		const options = { way: 'routing', items: rows(6) } as const;
		await links(inWaves(2, 50), options);
		expect(fixture.service.peakInFlight).toBe(2);
		expect(emailsSent()).toHaveLength(6);
	});

	test('with "continue" the waves after a failure go on', async () => {
		const items = withRow(1, { email: 'nobody' }, 4);
		const { items: output } = await links(inWaves(2), {
			way: 'routing',
			items,
			onError: 'continueRegularOutput',
		});
		expect(output.map(linkOf)).toEqual([0, 1, 2, 3]);
		expect(emailsSent()).toEqual([0, 2, 3].map(emailOf));
	});

	test('an expression that fails in a later wave keeps that wave from being sent', async () => {
		const email = '={{ $itemIndex === 3 ? $("Nowhere").item.json.email : $json.email }}';
		const { error } = await links({ email, ...inWaves(2) }, { way: 'routing', items: rows(6) });
		expect(error?.context).toMatchObject({ itemIndex: 3 });
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(emailsSent()).toEqual([0, 1].map(emailOf));
	});
});

describe('calls of an agent at the same moment', () => {
	const call = async (
		operation: string,
		parameters: INodeParameters,
		calls: IDataObject[],
		options: Partial<RunOptions> = {},
	) =>
		await callTool(
			{
				credential: fixture.service,
				parameters: { resource: 'student', operation, ...parameters },
				...options,
			},
			calls,
		);
	const TO_MODEL = { email: "={{ $fromAI('email', 'The address', 'string') }}" };
	const MANY = {
		classId: byId(PYTHON.id),
		studentsFrom: 'json',
		studentsJson: "={{ $fromAI('students', 'The students', 'json') }}",
		options: { batchSize: 1 },
		...ONE_BY_ONE,
	};

	test('two equal calls are two', async () => {
		const calls = [{ email: emailOf(0) }, { email: emailOf(0) }];
		const results = await call('sendMagicLink', TO_MODEL, calls);
		expect(results).toMatchObject([
			{ result: [{ success: true, email: emailOf(0) }] },
			{ result: [{ success: true, email: emailOf(0) }] },
		]);
		expect(emailsSent()).toEqual([0, 0].map(emailOf));
	});

	test.each([undefined, 'continueRegularOutput'] as const)(
		'an invalid one does not stop another (%s)',
		async (onError) => {
			const calls = ['nobody', emailOf(1), BAD, emailOf(2)].map((email) => ({ email }));
			const results = await call('sendMagicLink', TO_MODEL, calls, { onError });
			expect(JSON.stringify(results[0])).toContain("'Email' is not an email address");
			expect(results[1]).toMatchObject({ result: [{ email: emailOf(1) }] });
			expect(JSON.stringify(results[2])).toContain('administrative account');
			expect(results[3]).toMatchObject({ result: [{ email: emailOf(2) }] });
			expect(emailsSent()).toEqual([1, 2].map(emailOf));
		},
	);

	test('Retry On Fail repeats what failed of a call, and nothing else', async () => {
		fixture.service.temper.failWith = { status: 400, times: 1, only: isFor(emailOf(1)) };
		const calls = [{ students: rows(3) }, { students: rows(3).slice(0, 1) }];
		const results = await call('addManyToClass', MANY, calls, { maxTries: 3 });
		expect(results).toMatchObject([
			{ result: rows(3).map(({ email }) => ({ success: true, email })) },
			{ result: [{ success: true, email: emailOf(0) }] },
		]);
		const added = fixture.service.requests
			.filter(({ status }) => status === 200)
			.map(({ body }) => (body as { students: Array<{ email: string }> }).students[0]!.email);
		expect(added.sort()).toEqual([0, 0, 1, 2].map(emailOf));
	});
});
