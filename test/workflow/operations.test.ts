import isMatch from 'lodash/isMatch';
import {
	Expression,
	type IDataObject,
	type INodePropertyCollection,
	type INodePropertyOptions,
} from 'n8n-workflow';
import { received, type RequestRecord } from '../service/service';
import { WAY } from './engine';
import {
	ADDITIONS,
	byId,
	description,
	EMAIL_OF_ITEM,
	fieldsOf,
	jsonOf,
	OPERATIONS,
	PYTHON,
	rows,
	RUST,
	STUDENT,
	useService,
	WRITES,
	operationOf,
} from './fixture';

test('every operation that the node offers is tested', () => {
	const offered = description.properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ displayOptions, options }) =>
			(options as INodePropertyOptions[]).map(
				({ value }) => `${String(displayOptions!.show!.resource![0])} ${value}`,
			),
		);
	expect(OPERATIONS.map(({ name }) => name).sort()).toEqual(offered.sort());
});

test.each(OPERATIONS)('$name is tested with every text that it can show', (operation) => {
	const given = { ...operation.valid, ...operation.everything };
	for (const { type, path, shownWith } of fieldsOf(operation)) {
		if (type === 'string' && isMatch(given, shownWith)) expect(given).toHaveProperty(path);
	}
});

test('every text about removing students says that it is final', () => {
	const removals = OPERATIONS.filter(({ request }) => request.method === 'DELETE');
	const texts = removals.flatMap((operation) => {
		const offered = description.properties.flatMap(({ options = [] }) => options);
		const option = offered.find((other) => 'value' in other && other.value === operation.operation);
		const notice = fieldsOf(operation).find(({ type }) => type === 'notice');
		return [notice?.displayName, (option as INodePropertyOptions).description];
	});
	const { searchHint } = (description as { builderHint?: { searchHint: string } }).builderHint!;
	for (const text of [...texts, searchHint]) {
		expect(text).toMatch(/irreversible/i);
		expect(text).toMatch(/loses access/);
		expect(text).not.toMatch(/again|back/);
	}
});

test('Add Many is tested with every field of a student', () => {
	const operation = operationOf('student addManyToClass');
	const [student] = JSON.parse(operation.everything.studentsJson as string) as [object];
	const { options } = fieldsOf(operation).find(({ name }) => name === 'students')!;
	const [{ values }] = options as [INodePropertyCollection];
	expect(Object.keys(student)).toEqual(expect.arrayContaining(values.map(({ name }) => name)));
});

const fixture = useService();

describe('the operation', () => {
	test.each(OPERATIONS)('$name', async (operation) => {
		const { everything, request, output } = operation;
		const { items, error } = await fixture.run(operation, everything);
		expect(error).toBeUndefined();
		expect(received(fixture.service)).toEqual([{ query: {}, ...request }]);
		expect(items).toEqual([{ json: output, pairedItem: { item: 0 } }]);
		expect(Object.keys(items[0]!.json)).toEqual(Object.keys(output));
	});

	test.each(WRITES)('$name masks the token in fields of the response', async (operation) => {
		const said = {
			'test-access-token': 1,
			header: 'Bearer test-access-token',
			keys: ['test-access-token'],
		};
		fixture.enroll();
		fixture.service.temper.extraAnswerFields = said;
		const { items } = await fixture.run(operation);
		expect(items[0]!.json).toMatchObject({ '***': 1, header: 'Bearer ***', keys: ['***'] });
		expect(JSON.stringify(items)).not.toContain('test-access-token');
	});

	// By a field "error", n8n tells failed items from others, and tries them again.
	const PROTOTYPE = JSON.parse('{"__proto__": {"inherited": 1}}') as IDataObject;
	const KNOWS_ERRORS = { onError: 'continueErrorOutput', maxTries: 3 } as const;
	test.each(WRITES)('$name keeps fields of the response, but no error', async (operation) => {
		for (const error of ['', null, 0, false, {}]) {
			fixture.enroll();
			fixture.service.resetRecord();
			const extra = { ...PROTOTYPE, job: 7, email: 'other@example.com', error };
			fixture.service.temper.extraAnswerFields = extra;
			const { items, errorItems } = await fixture.run(operation, {}, KNOWS_ERRORS);
			expect(errorItems).toEqual([]);
			const own = 'email' in operation.output ? { email: STUDENT } : {};
			expect(items[0]!.json).toMatchObject({ job: 7, ...own });
			expect(items[0]!.json).not.toHaveProperty('error');
			expect('inherited' in items[0]!.json).toBe(false);
			expect(fixture.service.requests).toHaveLength(1);
		}
	});

	test.each(['addToClass', 'addManyToClass'])(
		'%s: its own fields are not filled in',
		async (name) => {
			// As of the class.
			const said = { name: 'Python', expirationDate: '2030-01-31T12:00:00.000Z', job: 7 };
			fixture.service.temper.extraAnswerFields = said;
			const { items } = await fixture.student(name);
			expect(items[0]!.json).toMatchObject({ job: 7 });
			for (const field of ['name', 'expirationDate'])
				expect(items[0]!.json).not.toHaveProperty(field);
		},
	);

	test.each(['text', '', null, 0, false, {}])('a class keeps no error: %j', async (error) => {
		const classes = [PYTHON, RUST];
		const data = classes.map((one) => ({ ...one, error }));
		fixture.service.temper = { answerJson: { data, totalRecords: 2 } };
		const { items, errorItems } = await fixture.classes({ returnAll: true }, KNOWS_ERRORS);
		expect(errorItems).toEqual([]);
		expect(jsonOf(items)).toEqual(classes);
		expect(fixture.service.requests).toHaveLength(1);
	});

	test('the token travels only in the Authorization header, and JSON is asked for', async () => {
		await fixture.student('addToClass');
		const [{ headers, ...rest }] = fixture.service.requests as [RequestRecord];
		expect(headers.authorization).toBe('Bearer test-access-token');
		expect(headers.accept).toBe('application/json');
		expect(JSON.stringify(rest)).not.toContain('test-access-token');
	});
});

describe('values', () => {
	test.each(ADDITIONS)('%s leaves out what is not given', async (operation) => {
		const { items } = await fixture.student(operation, { name: '  ' });
		expect(JSON.stringify(received(fixture.service))).not.toMatch(/name|expirationDate|null|""/);
		expect(items[0]!.json).not.toHaveProperty('name');
		expect(items[0]!.json).not.toHaveProperty('expirationDate');
	});

	const BOTH = { classes: [{ id: PYTHON.id }, { id: RUST.id }] };
	const LONGEST = `${'a'.repeat(254 - '@example.com'.length)}@example.com`;
	test.each<[operation: string, field: string, value: unknown, sent: object]>([
		['addToClasses', 'classIds', [{ id: PYTHON.id, value: 99 }, { id: RUST.id }], BOTH],
		['addToClasses', 'classIds', ` ${PYTHON.id} ,${RUST.id}`, BOTH],
		['addToClasses', 'classIds', ` ["${PYTHON.id}", {"id": "${RUST.id}"}]`, BOTH],
		['addToClasses', 'classIds', [PYTHON.id, ` ${RUST.id} `, PYTHON.id], BOTH],
		...['90071992547409931234', '1e5', '007'].map(
			(id) => ['addToClasses', 'classIds', id, { classes: [{ id }] }] as never,
		),
		...['http://example.com', 'https://example.com/a?b=c#d', 'https://user@example.com:8443/'].map(
			(redirectUrl) => ['sendMagicLink', 'redirectUrl', redirectUrl, { redirectUrl }] as never,
		),
		['sendMagicLink', 'redirectUrl', null, {}],
		['sendMagicLink', 'email', LONGEST, { email: LONGEST }],
	])('%s with the %s %j', async (operation, field, value, sent) => {
		if (value === LONGEST) fixture.allowViolations();
		await fixture.student(operation, { [field]: `={{ ${JSON.stringify(value)} }}` });
		expect(received(fixture.service).map(({ body }) => body)).toEqual([
			{ email: STUDENT, ...sent },
		]);
	});

	test.each([
		PYTHON.id,
		{ __rl: true, mode: 'list', value: PYTHON.id, cachedResultName: 'Python' },
		'={{ $json.id }}',
	])('a class given as %j', async (classId) => {
		await fixture.student('addToClass', { classId }, { items: [{ id: ` ${PYTHON.id} ` }] });
		expect(fixture.service.requests[0]!.path).toBe(`/classe/${PYTHON.id}/add-student`);
	});

	const ofOneClass = OPERATIONS.filter(({ valid }) => 'classId' in valid);
	describe.each(ofOneClass)('$name', (operation) => {
		test.each([
			'x/../../magic-link?',
			'%2e%2e',
			'a b#c',
			'ü?',
			'...',
			'not-null',
			'undefined-1',
			'constructor',
			'__proto__',
			42,
		])('the class ID %j stays one part of the path', async (strange) => {
			const id = String(strange);
			fixture.service.classes.addClass({ id, name: 'Strange' });
			fixture.service.classes.enroll([id], [{ email: STUDENT }]);
			const { error } = await fixture.run(operation, { classId: byId(strange) });
			expect(error).toBeUndefined();
			expect(received(fixture.service).map(({ path }) => path)).toEqual([
				operation.request.path.replace(PYTHON.id, encodeURIComponent(id)),
			]);
		});
	});

	const ofOneStudent = OPERATIONS.filter(({ valid }) => 'email' in valid);
	test.each(ofOneStudent)('$name sends an address with any characters', async (operation) => {
		const strange = "o'brien+a%41&b=c?d#e/ü@example.com";
		fixture.service.classes.enroll([PYTHON.id, RUST.id], [{ email: strange }]);
		const { items, error } = await fixture.run(operation, { email: strange });
		expect(error).toBeUndefined();
		expect(items[0]!.json).toMatchObject({ email: strange });
		const [{ path, query, body }] = received(fixture.service) as [RequestRecord];
		const sent = [decodeURIComponent(path), ...Object.values({ ...query, ...(body as object) })];
		expect(sent.join('\n')).toContain(strange);
	});

	test.each([true, 'true', false, 'false'])('Return All given as %j', async (value) => {
		fixture.addClasses(58);
		const { items } = await fixture.classes({ returnAll: `={{ ${JSON.stringify(value)} }}` });
		expect(items).toHaveLength(String(value) === 'true' ? 60 : 50);
	});

	// Others are in unit/expiration.test.ts.
	test('a duration', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-03-30T15:00:00Z'));
		const duration = { accessExpiration: 'duration', durationAmount: '2', durationUnit: 'weeks' };
		const { items } = await fixture.student('addToClass', duration);
		now.mockRestore();
		expect(items[0]!.json.expirationDate).toBe('2026-04-13T15:00:00.000Z');
	});
});

// It takes up to a millisecond each. The routing evaluates for each item: that is slow anyway.
if (WAY === 'step') {
	test('n8n evaluates no parameter for each item if all have the same, or it is a field of the item', async () => {
		const evaluate = jest.spyOn(Expression.prototype, 'resolveSimpleParameterValue');
		await fixture.student('addToClass', { ...EMAIL_OF_ITEM, name: 'Name' }, { items: rows(50) });
		const names = evaluate.mock.calls.filter(([value]) => value === 'Name');
		const emails = evaluate.mock.calls.filter(([value]) => value === EMAIL_OF_ITEM.email);
		evaluate.mockRestore();
		// Newer versions of n8n do not even evaluate the first one.
		expect([names.length <= 1, emails.length]).toEqual([true, 0]);
	});
}
