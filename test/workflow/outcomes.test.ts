import lowerFirst from 'lodash/lowerFirst';
import map from 'lodash/map';
import upperFirst from 'lodash/upperFirst';
import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';
import type { Temper } from '../service/service';
import { type RunOptions, WAY } from './engine';
import {
	CONTINUE,
	EMAIL_OF_ITEM,
	errorsOf,
	inTurn,
	NO_RETRIES,
	ONE_BY_ONE,
	PYTHON,
	rows,
	RUST,
	STUDENT,
	studentsIn,
	textOf,
	useService,
} from './fixture';

const failWith = (status: number): Temper => ({ failWith: { status, body: { message: 'No.' } } });

const NO_ROUTE: Temper = { failWith: { status: 404, text: '<pre>Cannot POST /magic-link</pre>' } };

const REGULAR = { onError: 'continueRegularOutput' } as const;
const NO_TIMEOUT = { requestOptions: { timeout: 0 } };
const UNREACHABLE = { requestOptions: { proxy: 'http://127.0.0.1:9', giveUpAfter: 0 } };

const fixture = useService();

const AFTER_EFFECT: Temper = { failAfterEffect: { status: 503 } };
test.each<[string, first: Temper, then: Temper, string]>([
	['a refused batch, it refuses the token', failWith(400), failWith(401), 'Access token not'],
	['a refused batch, it limits the rate', failWith(400), failWith(429), 'Too many requests'],
	['a refused batch, it is down', failWith(400), failWith(503), "The service isn't available"],
	['503, it refuses who is in', AFTER_EFFECT, { refuseEnrolled: true }, 'Rejected by the service'],
])('after %s: all may be added', async (_what, first, then, reason) => {
	fixture.service.temper = inTurn(first, then);
	const { requestOptions } = first === AFTER_EFFECT ? {} : NO_RETRIES;
	const options = { items: rows(40), ...CONTINUE };
	const result = await fixture.student('addManyToClass', { requestOptions }, options);
	expect(errorsOf(result)).toEqual(
		rows(40).map(({ email }, n) =>
			expect.stringMatching(new RegExp(`^${email}: unknown if added: ${reason}.* \\[item ${n}\\]`)),
		),
	);
});

test.each([
	[409, 'unknown if added: Rejected by the service (status 409)'],
	[400, 'rejected by the service (status 400)'],
])(
	'a batch has added those before the bad one, of whom the service then says %i',
	async (...row) => {
		const [refusalStatus, says] = row;
		const [bad] = rows(40).slice(20) as [{ email: string }];
		const temper = { isOneByOne: true, refuseEnrolled: true, rejectEmails: [bad.email] };
		fixture.service.temper = { ...temper, refusalStatus };
		const options = { items: rows(40), ...CONTINUE };
		const result = await fixture.student('addManyToClass', {}, options);
		const enrolled = fixture.service.classes.studentsOf(PYTHON.id).map(({ email }) => email);
		const failed = errorsOf(result).filter((error) => !error.startsWith(bad.email));
		expect(failed.length).toBeGreaterThan(0);
		for (const error of failed) {
			expect(enrolled).toContain(error.split(':')[0]);
			expect(error).toContain(`: ${says}: `);
			expect(error).toContain('Already enrolled');
		}
	},
);

describe.each(['addToClasses', 'removeFromClasses'])('a refusal of %s', (operation) => {
	const done = operation === 'addToClasses' ? 'added' : 'removed';
	const MAYBE = `unknown if ${done}`;
	const errorsFor = async (classIds: string[], count: number, onError: RunOptions['onError']) => {
		const items = [STUDENT, `second-${STUDENT}`].slice(0, count).map((email) => ({ email }));
		const parameters = { ...EMAIL_OF_ITEM, ...ONE_BY_ONE, classIds };
		const result = await fixture.student(operation, parameters, { items, onError });
		expect(textOf(result) + errorsOf(result).join()).not.toContain('skip this item');
		return [...(result.error ? [result.error.message] : []), ...errorsOf(result)];
	};

	test.each([400, 403, 404, 409, 413, 422])('%i: a part may have been done', async (status) => {
		const { service } = fixture;
		service.temper = { isOneByOne: true, refusalStatus: status };
		const before = service.state();
		const [one] = await errorsFor([PYTHON.id, 'unknown'], 1, undefined);
		expect(one).toMatch(new RegExp(`^${STUDENT}: ${MAYBE}: .*\\(status ${status}\\)`));
		// A second addition changes nothing.
		expect(service.state() === before).toBe(operation === 'addToClasses');
		const [stopped] = await errorsFor(['unknown', RUST.id], 2, undefined);
		expect(stopped).toContain(
			`. The node stopped. ${upperFirst(MAYBE)}: item 0. Not ${done}: item 1.`,
		);
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const each = await errorsFor(['unknown', RUST.id], 2, onError);
			expect(each.map((error) => error.split(': ')[1])).toEqual([MAYBE, MAYBE]);
		}
		const alone = status === 403 ? new RegExp(`: not ${done}: `) : /: rejected( by|: )/;
		expect((await errorsFor(['unknown'], 1, undefined))[0]).toMatch(alone);
	});

	test('429: nothing was changed in any of the classes', async () => {
		fixture.service.temper = failWith(429);
		expect((await errorsFor([PYTHON.id, RUST.id], 1, undefined))[0]).toMatch(
			new RegExp(`: not ${done}: Too many`),
		);
	});
});

/** Each with the first words of its error, and for machines, in the regular output, with its outcome and the status. */
const OUTCOMES: Array<
	[operation: string, Temper, words: string, outcome: string, status?: number, INodeParameters?]
> = [
	['addToClass', failWith(400), 'Rejected by the service (status 400)', 'rejected', 400],
	['addToClass', failWith(429), 'Not added: Too many requests (status 429)', 'notProcessed', 429],
	['sendMagicLink', failWith(429), 'Not sent: Too many requests (status 429)', 'notProcessed', 429],
	['addToClass', failWith(401), 'Not added: Access token not accepted', 'notProcessed', 401],
	['addToClass', failWith(402), 'Not added: The service asks for a', 'notProcessed', 402],
	['removeFromClass', failWith(405), 'Not removed: The service takes no', 'notProcessed', 405],
	['addToClass', failWith(403), "Not added: The access token doesn't allow", 'notProcessed', 403],
	['removeFromClass', failWith(404), 'Rejected: The service returned "not found"', 'rejected', 404],
	['sendMagicLink', NO_ROUTE, 'Not sent: The service returned a web page', 'notProcessed', 404],
	['addToClass', failWith(500), 'Unknown if added: Something went wrong', 'unknown', 500],
	['removeFromClass', failWith(500), 'Unknown if removed: Something went wrong', 'unknown', 500],
	['sendMagicLink', failWith(503), "Unknown if sent: The service isn't", 'unknown', 503],
	['addToClass', { drop: { when: 'after' } }, 'Unknown if added: No response from', 'unknown'],
	['removeFromClasses', failWith(400), 'Unknown if removed: Rejected by', 'unknown', 400],
	['addToClass', {}, 'Not added: No response from', 'notProcessed', undefined, UNREACHABLE],
];
test.each(OUTCOMES)('%s, %j: %s, %s, status %p', async (...row) => {
	const [operation, temper, words, outcome, status, parameters] = row;
	fixture.service.temper = temper;
	const all = { ...NO_RETRIES, ...parameters };
	const { error } = await fixture.student(operation, all);
	const { items } = await fixture.student(operation, all, REGULAR);
	const { error: said, email, classId, classIds, ...forMachines } = items[0]!.json;
	const first = `${STUDENT}: ${lowerFirst(words)}`;
	for (const text of [error!.message, String(said)])
		expect(text.slice(0, first.length)).toBe(first);
	expect(forMachines).toEqual({ outcome, ...(status && { status }) });
	expect([email, classId, classIds]).not.toEqual([undefined, undefined, undefined]);
	const isUnknown = words.startsWith('Unknown');
	expect(String(said).includes("can't tell whether the request took effect.")).toBe(isUnknown);
	if (isUnknown) expect(said).not.toContain('Try again');
	// Where the run goes on, n8n would run the node again only if the first item failed.
	expect(error!.description!.includes("With 'Retry On Fail', the node sends it")).toBe(isUnknown);
	expect(said).not.toMatch(/Retry On Fail|\.\./);
	const isSkippable = outcome === 'rejected' && operation === 'removeFromClass';
	expect(error!.description!.includes("to 'Continue' to skip this item")).toBe(isSkippable);
});

test.each<[said: string, outcome: string, INodeParameters]>([
	["nobody: rejected: 'Email' is not an email address", 'rejected', { email: 'nobody' }],
	["rejected: 'Email' is empty", 'rejected', { email: ' ' }],
	[`${STUDENT}: not added: 'Timeout' must be`, 'notProcessed', NO_TIMEOUT],
])('an invalid item: %s', async (said, outcome, parameters) => {
	for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
		const result = await fixture.student('addToClass', parameters, { onError });
		const [{ json }] = [...result.items, ...result.errorItems] as [INodeExecutionData];
		expect(String(json.error).slice(0, said.length)).toBe(said);
		expect(json.outcome).toBe(onError === 'continueRegularOutput' ? outcome : undefined);
	}
	expect(fixture.service.requests).toEqual([]);
});

test.each<[Temper, string, becameOfItem1: string]>([
	[{ rejectEmails: ['student-0@example.com'] }, 'rejected by the service', 'added'],
	[failWith(403), 'not added: The access', 'not added'],
	[failWith(500), 'unknown if added', 'unknown if added'],
])('a row whose place a later one took was not sent: %j', async (temper, became, ofItem1) => {
	const again = { email: 'Student-0@example.com' };
	const options = { items: [...rows(2), again] };
	const add = async (onError: RunOptions['onError']) =>
		await fixture.student('addManyToClass', NO_RETRIES, { ...options, onError });
	fixture.service.temper = temper;
	const errors = errorsOf(await add('continueErrorOutput'));
	expect(errors[0]).toContain(`student-0@example.com: replaced by item 2: ${became}`);
	expect(errors.at(-1)).toContain(`${again.email}: ${became}`);
	expect(errors.at(-1)).toContain(' [item 2]');
	const { items } = await add('continueRegularOutput');
	const outcomes = items.map(({ json }) => json.outcome);
	expect(outcomes[0]).toBe(outcomes[2]);
	if (ofItem1 === 'added') return;
	expect((await add(undefined)).error?.message).toContain(
		`${upperFirst(ofItem1)}: items 1-2. Replaced: item 0.`,
	);
});

test('of two rows about the same classes in another order, the last one is sent', async () => {
	const parameters = { email: STUDENT, classIds: '={{ $json.ids }}' };
	const both = [PYTHON.id, RUST.id];
	const items = [both, [RUST.id, PYTHON.id]].map((ids) => ({ ids }));
	const result = await fixture.student('addToClasses', parameters, { items });
	expect(fixture.service.requests).toHaveLength(1);
	expect(result.items).toHaveLength(2);
});

test('the last row about a student keeps the name that an earlier one has', async () => {
	const items = [{ name: 'A' }, { name: 'B' }, {}, { name: 'C', email: 'c@example.com' }].map(
		(item) => ({ email: STUDENT, ...item }),
	);
	const { items: added } = await fixture.student('addManyToClass', {}, { items });
	const [request] = fixture.service.requests;
	expect(studentsIn(request!)).toEqual([
		{ email: STUDENT, name: 'B' },
		{ email: 'c@example.com', name: 'C' },
	]);
	expect(added.map(({ json }) => json.name)).toEqual(['B', 'B', 'B', 'C']);
});

test('the last row of a class keeps the last name of the student, also if it is of another class', async () => {
	const items = [
		{ classId: 'c-1', name: 'A' },
		{ classId: 'c-2', name: 'B' },
		{ classId: 'c-1', name: '' },
	];
	for (const id of ['c-1', 'c-2']) fixture.service.classes.addClass({ id, name: id });
	const parameters = {
		classId: { __rl: true, mode: 'id', value: '={{ $json.classId }}' },
		email: STUDENT,
		name: '={{ $json.name }}',
	};
	await fixture.student('addToClass', parameters, { items });
	const { requests } = fixture.service;
	expect(requests.map(({ path }) => path.split('/')[2])).toEqual(['c-2', 'c-1']);
	expect(map(requests, 'body.name')).toEqual(['B', 'B']);
});

test('of three rows about one student, the last one is sent, and all are said to be added', async () => {
	const items = [...['A', 'B', 'C'].map((name) => ({ email: STUDENT, name })), ...rows(1)];
	fixture.service.temper = { rejectEmails: [rows(1)[0]!.email] };
	const parameters = { ...ONE_BY_ONE, options: { batchSize: 1 } };
	const { error } = await fixture.student('addManyToClass', parameters, { items });
	expect(error?.message).toContain('. The node stopped. Added: items 0-2. Rejected: item 3.');
	expect(studentsIn(fixture.service.requests[0]!)).toEqual([{ email: STUDENT, name: 'C' }]);
});

if (WAY === 'step') {
	test('a removal that an earlier try may have done says how to skip it when it is rejected', async () => {
		fixture.service.temper = inTurn(failWith(500), failWith(404));
		const { error } = await fixture.student('removeFromClass', {}, { maxTries: 2 });
		expect(error?.message).toContain('unknown if removed');
		expect(error?.description).toContain("set 'On Error' to 'Continue' to skip this item");
	});

	test('what an earlier try has done is unknown when a correction of it is rejected', async () => {
		const until = (expirationDate: string, batchSize = 2) => {
			const options = { options: { batchSize }, accessExpiration: 'date' };
			return { ...ONE_BY_ONE, ...options, expirationDate };
		};
		fixture.service.temper = inTurn({}, failWith(400));
		const options = { items: rows(4) };
		const { run } = await fixture.student('addManyToClass', until('2030-01-01'), options);
		const again = { ...options, retryOf: { run, workflow: 'current' as const } };
		const stopped = await fixture.student('addManyToClass', until('2031-01-01', 1), again);
		expect(stopped.error?.message).toContain('The node stopped. Unknown if added: items 0-3.');
		// Where it goes on, a batch is refused, and then each of its rows.
		const each = { ...again, ...CONTINUE };
		const errors = errorsOf(await fixture.student('addManyToClass', until('2031-01-01'), each));
		expect(errors.map((error) => error.split(': Rejected')[0])).toEqual(
			rows(4).map(({ email }) => `${email}: unknown if added`),
		);
	});
}

test('an error of an operation that only reads says what was read', async () => {
	fixture.service.temper = inTurn({}, failWith(403));
	const { error } = await fixture.classes(ONE_BY_ONE, { items: rows(20) });
	expect(error?.message).toMatch(/: No\. The node stopped. Read: item 0\.$/);
	expect(fixture.service.requests.length).toBeLessThan(5);
	fixture.service.temper = failWith(403);
	const nothing = await fixture.classes(ONE_BY_ONE, { items: rows(2) });
	expect(nothing.error?.message).toMatch(/: No$/);
});

test('the error of many begins with the student of the request, and with none of a batch', async () => {
	fixture.service.temper = failWith(400);
	const messageOf = async (parameters: INodeParameters, items = rows(3)) =>
		(await fixture.student('addManyToClass', { ...ONE_BY_ONE, ...parameters }, { items })).error
			?.message;
	const ofBatch = /^Rejected by the service \(status 400\)/;
	const ofStudent = new RegExp(`^${rows(1)[0]!.email}: rejected by the service`);
	expect(await messageOf({})).toMatch(ofBatch);
	expect(await messageOf({ options: { batchSize: 1 } })).toMatch(ofStudent);
	// One row is sent for two.
	expect(await messageOf({}, [...rows(1), ...rows(1)])).toMatch(ofStudent);
});

test('an error begins with the address without the blanks around it, as does its item', async () => {
	fixture.service.temper = failWith(400);
	const options = { items: [{ email: ' Ana@example.com' }], ...REGULAR };
	const { items } = await fixture.student('addManyToClass', {}, options);
	const error = expect.stringMatching(/^Ana@example\.com: rejected by the service .* \[item 0\]/);
	expect(items[0]!.json).toMatchObject({ error, email: 'Ana@example.com' });
});
