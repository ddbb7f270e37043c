import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { callTool } from './agent';
import type { RunOptions } from './engine';
import {
	byId,
	describeAs,
	EMAIL_OF_ITEM,
	emailOf,
	isFor,
	linkOf,
	ONE_BY_ONE,
	PYTHON,
	rows,
	studentsIn,
	textOf,
	useService,
} from './fixture';

// What all engines promise is tested by running the other tests in both ways.

const BAD = 'admin@example.com';

const fixture = useService();

const links = async (parameters: INodeParameters, options: Partial<RunOptions>) =>
	await fixture.student('sendMagicLink', { ...EMAIL_OF_ITEM, ...parameters }, options);
const emailsSent = () => fixture.service.magicLinks.map(({ email }) => email);

const withRow = (index: number, row: IDataObject, count: number) =>
	rows(count).map((other, n) => (n === index ? row : other));

test('an expression that fails keeps every link from going out', async () => {
	const email = '={{ $itemIndex === 7 ? $("Nowhere").item.json.email : $json.email }}';
	const { error } = await links({ email }, { items: rows(20) });
	expect(error?.context).toMatchObject({ itemIndex: 7 });
	await new Promise((resolve) => setTimeout(resolve, 100));
	expect(fixture.service.requests).toEqual([]);
});

test('with Execute Once the first item is sent', async () => {
	const { error } = await links({}, { items: rows(3), settings: { executeOnce: true } });
	expect(error).toBeUndefined();
	expect(emailsSent()).toEqual([emailOf(0)]);
});

describeAs('routing')("n8n's Batching", () => {
	const inWaves = (batchSize: number, batchInterval = 100): INodeParameters => ({
		requestOptions: { batching: { batch: { batchSize, batchInterval } } },
	});

	test('every wave is a run', async () => {
		const { items } = await fixture.student('addManyToClass', inWaves(3), { items: rows(7) });
		expect(items.map(linkOf)).toEqual([0, 1, 2, 3, 4, 5, 6]);
		const { requests } = fixture.service;
		expect(requests.map((request) => studentsIn(request).length)).toEqual([3, 3, 1]);
	});

	test.each([0, 1])('no wave is started after one that failed: item %i', async (index) => {
		const items = withRow(index, { email: BAD }, 6);
		const { error } = await links(inWaves(2), { items });
		expect(error?.context).toMatchObject({ itemIndex: index });
		// The first one goes alone.
		expect(emailsSent()).toEqual(index === 0 ? [] : [emailOf(0)]);
	});

	test('what the waves before did is not said not to have been sent, nor repeated', async () => {
		const invalid = await links(inWaves(2), { items: withRow(3, { email: 'nobody' }, 6) });
		expect(invalid.error?.message).toContain("'Email' is not an email address");
		expect(textOf(invalid)).not.toContain('Nothing was changed');
		expect(emailsSent()).toEqual([0, 1].map(emailOf));

		fixture.service.resetRecord();
		fixture.service.temper.failWith = { status: 400, times: 1, only: isFor(emailOf(3)) };
		await links(inWaves(2), { items: rows(6), maxTries: 2 });
		expect(emailsSent()).toEqual([0, 1, 2, 3, 4, 5].map(emailOf));
	});

	test('with "continue" the waves after a failure go on', async () => {
		const items = withRow(1, { email: 'nobody' }, 4);
		const options = { items, onError: 'continueRegularOutput' } as const;
		const { items: output } = await links(inWaves(2), options);
		expect(output.map(linkOf)).toEqual([0, 1, 2, 3]);
		expect(emailsSent()).toEqual([0, 2, 3].map(emailOf));
	});

	test('an expression that fails in a later wave keeps that wave from being sent', async () => {
		const email = '={{ $itemIndex === 3 ? $("Nowhere").item.json.email : $json.email }}';
		const { error } = await links({ email, ...inWaves(2) }, { items: rows(6) });
		expect(error?.context).toMatchObject({ itemIndex: 3 });
		await new Promise((resolve) => setTimeout(resolve, 200));
		expect(emailsSent()).toEqual([0, 1].map(emailOf));
	});
});

describeAs('routing')('calls of an agent', () => {
	const tool = (operation: string, more: INodeParameters, options?: Partial<RunOptions>) => {
		const parameters = { resource: 'student', operation, ...more };
		return { credential: fixture.service, parameters, ...options };
	};
	const TO_MODEL = { email: "={{ $fromAI('email', 'The address', 'string') }}" };
	const MANY = {
		classId: byId(PYTHON.id),
		studentsFrom: 'json',
		studentsJson: "={{ $fromAI('students', 'The students', 'json') }}",
		options: { batchSize: 1 },
		...ONE_BY_ONE,
	};

	test.each(['at the same moment', 'in turn'] as const)(
		'two equal calls %s are two',
		async (when) => {
			const calls = [{ email: emailOf(0) }, { email: emailOf(0) }];
			const results = await callTool(tool('sendMagicLink', TO_MODEL), calls, when);
			expect(results).toMatchObject([
				{ result: [{ success: true, email: emailOf(0) }] },
				{ result: [{ success: true, email: emailOf(0) }] },
			]);
			expect(emailsSent()).toEqual([0, 0].map(emailOf));
		},
	);

	test.each([undefined, 'continueRegularOutput'] as const)(
		'an invalid one does not stop another (%s)',
		async (onError) => {
			const calls = ['nobody', emailOf(1), BAD, emailOf(2)].map((email) => ({ email }));
			const results = await callTool(tool('sendMagicLink', TO_MODEL, { onError }), calls);
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
		const results = await callTool(tool('addManyToClass', MANY, { maxTries: 3 }), calls);
		expect(results).toMatchObject([
			{ result: rows(3).map(({ email }) => ({ success: true, email })) },
			{ result: [{ success: true, email: emailOf(0) }] },
		]);
		const added = fixture.service.requests
			.filter(({ status }) => status === 200)
			.map((request) => studentsIn(request)[0]!.email);
		expect(added.sort()).toEqual([0, 0, 1, 2].map(emailOf));
	});
});
