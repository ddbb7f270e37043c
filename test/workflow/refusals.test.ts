import set from 'lodash/set';
import type { INodeParameters, NodeParameterValueType } from 'n8n-workflow';
import { WAY } from './engine';
import {
	byId,
	CONTINUE,
	emailOf,
	emailsOf,
	fieldsOf,
	jsonOf,
	linkOf,
	OPERATIONS,
	PYTHON,
	rows,
	RUST,
	STUDENT_WRITES,
	useService,
} from './fixture';
import { operationOf, type TestedOperation } from './operations';

const fixture = useService();

const FIELDS = OPERATIONS.flatMap((operation) =>
	fieldsOf(operation).map((field) => ({ operation, of: operation.name, ...field })),
);
const CHECKED = FIELDS.filter(({ type }) => !['notice', 'fixedCollection'].includes(type));
const REQUIRED = FIELDS.filter(
	({ operation, path, required }) => required || path in operation.valid,
);
/** What the editor leaves empty. */
const EMPTY: Record<string, NodeParameterValueType> = {
	multiOptions: [],
	resourceLocator: byId(''),
	string: '',
};

/** Runs with a wrong value, of which nothing must be sent; returns what is said about it. */
async function refusalOf(operation: TestedOperation, parameters: INodeParameters) {
	const { error } = await fixture.run(operation, parameters);
	expect(error?.message ?? 'No error').toContain('item 0]');
	expect(fixture.service.requests).toEqual([]);
	// n8n's routing wraps every error.
	expect(error?.name).toBe(WAY === 'step' ? 'NodeOperationError' : 'NodeApiError');
	expect(error?.context).toMatchObject({ itemIndex: 0 });
	return {
		message: error!.message,
		advice: error!.description!.replace(/ Nothing was changed\.$/, ''),
	};
}

// Which texts, numbers and dates are wrong is in unit/values.test.ts.
test.each(CHECKED)('$of: $path refuses an object, also one without a prototype', async (field) => {
	const { operation, displayName, path, shownWith } = field;
	for (const value of ['={{ {} }}', '={{ "a".match(/(?<name>.)/).groups }}']) {
		const { message } = await refusalOf(operation, set({ ...shownWith }, path, value));
		expect(message).toContain(`'${displayName}' `);
	}
});

const TEXTS = FIELDS.filter(({ type }) =>
	['string', 'dateTime', 'json', 'resourceLocator', 'multiOptions', 'fixedCollection'].includes(
		type,
	),
);
/** Fills in a field of each type. */
const fillIn = ({ type, shownWith, path }: (typeof TEXTS)[number], text: string) => {
	const inType: Record<string, NodeParameterValueType> = {
		resourceLocator: byId(text),
		multiOptions: [text],
		fixedCollection: { student: [{ email: text }] },
	};
	return set({ ...shownWith }, path, inType[type] ?? text);
};

test.each(TEXTS)('$of: $path says that it is Fixed', async (field) => {
	const parameters = fillIn(field, '{{ $json.email }}');
	const { message, advice } = await refusalOf(field.operation, parameters);
	expect(message).toMatch(
		/^'[\w ()]+' is Fixed, so n8n didn't evaluate "\{\{ \$json\.email \}\}" \[item 0\]$/,
	);
	expect(advice).toBe("Select 'Expression', or empty the field and drag one in from the input.");
});

// As n8n's editor saves a pasted ={{ $json.email }}
test.each(TEXTS)('$of: $path says that its expression is pasted with "="', async (field) => {
	const parameters = fillIn(field, '=={{ $json.email }}');
	const { message, advice } = await refusalOf(field.operation, parameters);
	expect(message).toMatch(/^'[\w ()]+' has a "=" before its expression \[item 0\]$/);
	expect(advice).toBe('Delete the "=" before the "{{".');
});

test('a Fixed field fails every item, and is not taken for a wrong item', async () => {
	const parameters = { email: '{{ $json.email }}', name: 'Student {{ $json.name }}' };
	const options = { items: rows(2), onError: 'continueRegularOutput' } as const;
	const { items } = await fixture.student('addToClass', parameters, options);
	const error = expect.stringMatching(/^not added: 'Email' is Fixed.*\. 'Name' is Fixed/) as string;
	expect(jsonOf(items)).toMatchObject([0, 1].map(() => ({ error, outcome: 'notProcessed' })));
	expect(fixture.service.requests).toEqual([]);
});

test('what an expression returns, or a class is called, may contain braces', async () => {
	const classId = { ...byId(PYTHON.id), mode: 'list', cachedResultName: '{{ Python }}' };
	const parameters = { classId, name: '={{ "{" + "{ Ana }" + "}" }}' };
	const { items } = await fixture.student('addToClass', parameters);
	expect(items[0]!.json.name).toBe('{{ Ana }}');
});

test.each(REQUIRED)('$of: $path is required', async (field) => {
	const { operation, displayName, path, shownWith, type, required } = field;
	const { message } = await refusalOf(operation, { ...shownWith, [path]: '={{ null }}' });
	expect(message).toContain(`'${displayName}' `);
	expect(required).toBe(true);
	if (!(type in EMPTY)) return;
	const start = fixture.run(operation, { ...shownWith, [path]: EMPTY[type]! });
	expect(await start.then(() => 'It starts', String)).toMatch(/has issues/);
});

const REFUSED = OPERATIONS.flatMap((operation) =>
	(operation.refused ?? []).map(([parameters, says, advises]) => {
		return { operation, name: operation.name, parameters, says, advises };
	}),
);
test.each(REFUSED)('$name, not $parameters', async ({ operation, parameters, says, advises }) => {
	const { message, advice } = await refusalOf(operation, parameters);
	expect(message).toContain(says);
	expect(advice).toContain(advises ?? '');
});

test.each<[INodeParameters, RegExp]>([
	// n8n's routing reads the expressions first.
	[
		{ classId: byId('..') },
		WAY === 'step' ? /^'Class' must be a class ID, but is "\.\." \[item 0\]$/ : /node/,
	],
	[{}, /^(?!.*'Name').*node/],
])('beside an expression that fails, the first error is said alone: %j', async (wrong, says) => {
	const parameters = { ...wrong, email: '={{ $("Nowhere").first() }}', name: '={{ {} }}' };
	const { error } = await fixture.student('addToClass', parameters);
	expect(error?.message).toMatch(says);
	expect(fixture.service.requests).toEqual([]);
});

describe.each(['addToClass', 'addManyToClass'])('the request options of %s', (operation) => {
	test.each<[string, INodeParameters]>([
		['Max Concurrent Requests', { maxConcurrentRequests: 0 }],
		['Give Up After (Seconds)', { giveUpAfter: '={{ "" }}' }],
		['Timeout', { timeout: '={{ "many" }}' }],
		['Items per Batch', { batching: { batch: { batchSize: -2 } } }],
		['Batch Interval (ms)', { batching: { batch: { batchInterval: -1 } } }],
		// n8n's routing reads the proxy itself.
		...(WAY === 'step' ? ['127.0.0.1:8080', '={{ "a".match(/(?<b>.)/).groups }}'] : []).map(
			(proxy): [string, INodeParameters] => ['Proxy', { proxy }],
		),
		// n8n 2.41 would send the token to the service without it.
		['Proxy', { proxy: 'socks5://127.0.0.1:1080' }],
	])('refuse a wrong %s', async (displayName, requestOptions) => {
		const { message } = await refusalOf(operationOf(`student ${operation}`), { requestOptions });
		expect(message).toContain(`'${displayName}' `);
	});
});

describe('an operation that is not chosen from the list', () => {
	// n8n takes every field as shown, so the required ones of all operations are filled in.
	const unrelated: INodeParameters = Object.assign(
		{ limit: 1, studentsFrom: 'json' },
		...OPERATIONS.map(({ valid }) => valid),
	);
	test.each<INodeParameters>([
		{ operation: 'bogus' },
		{ operation: '={{ "addToClass" }}', classIds: ['a'], ...unrelated },
	])('sends nothing: %j', async (parameters) => {
		const { error, items } = await fixture.student('addToClass', parameters);
		expect(fixture.service.requests).toEqual([]);
		expect(items).toEqual([]);
		expect(error?.message).toContain('choose-an-operation-from-the-list');
	});
});

describe('one bad item among good ones', () => {
	const items = [emailOf(0), '', emailOf(1)].map((email) => ({ email, row: 'kept' }));
	const enroll = () => fixture.service.classes.enroll([PYTHON.id, RUST.id], rows(2));

	test.each(STUDENT_WRITES)('$name stops before anything is sent', async (operation) => {
		const { error } = await fixture.run(operation, operation.ofItem, { items });
		expect(error?.message).toMatch(/is empty \[item 1\]/);
		expect(error?.description).toMatch(/ Nothing was changed\.$/);
		expect(error?.context).toMatchObject({ itemIndex: 1 });
		expect(fixture.service.requests).toEqual([]);
	});

	test.each(STUDENT_WRITES)('$name continues with the others', async (operation) => {
		enroll();
		const result = await fixture.run(operation, operation.ofItem, { items, ...CONTINUE });
		expect(emailsOf(result.items)).toEqual(rows(2).map(({ email }) => email));
		const error = expect.stringMatching(/is empty \[item 1\]\. Enter/) as string;
		expect(jsonOf(result.errorItems)).toEqual([{ ...items[1], error }]);

		enroll();
		const options = { items, onError: 'continueRegularOutput' } as const;
		const { items: output } = await fixture.run(operation, operation.ofItem, options);
		expect(output.map(linkOf)).toEqual([0, 1, 2]);
		// The error comes first in n8n's table, then what identifies the item, but for the empty address, and what machines want to know.
		const identity = Object.keys(operation.valid).filter((name) => name !== 'email');
		expect(Object.keys(output[1]!.json)).toEqual(['error', ...identity, 'outcome']);
		expect(jsonOf(output).map((json) => json.error ?? json.email)).toEqual([
			emailOf(0),
			error,
			emailOf(1),
		]);
	});
});
