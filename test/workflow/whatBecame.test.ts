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
	textOf,
	useService,
} from './fixture';

const failWith = (status: number): Temper => ({ failWith: { status } });

const fixture = useService();

test.each<[string, Temper, string]>([
	['refuses the token', failWith(401), 'The service did not accept the access token'],
	['limits the rate', failWith(429), 'Too many requests'],
	['is down', failWith(503), 'The service is not available'],
])(
	'after a batch was refused, the service %s: each of its students may have been added',
	async (_what, temper, reason) => {
		fixture.service.temper = inTurn(failWith(400), temper);
		const options = { items: rows(40), ...CONTINUE };
		const result = await fixture.student('addManyToClass', NO_RETRIES, options);
		expect(errorsOf(result)).toEqual(
			rows(40).map(({ email }, n) =>
				expect.stringContaining(`${email} may or may not have been added (item ${n}): ${reason}`),
			),
		);
	},
);

describe.each(['addToClasses', 'removeFromClasses'])('a refusal of %s', (operation) => {
	const MAYBE = 'Refused, but some of the classes may have been changed: ';

	test.each([400, 404, 409, 413, 422])('%i: the service may have done a part', async (status) => {
		const { service } = fixture;
		service.temper = { isOneByOne: true, refusalStatus: status };
		const before = service.state();
		const errorsFor = async (classIds: string[], options: Partial<RunOptions> = {}) => {
			const result = await fixture.student(operation, { classIds }, options);
			if (result.error) expect(result.error.description).not.toContain('skip this item');
			return result.error ? [result.error.message] : errorsOf(result);
		};
		const [one] = await errorsFor([PYTHON.id, 'unknown']);
		expect(one).toMatch(new RegExp(`^${MAYBE}.*\\(status ${status}\\)`));
		// A second addition changes nothing.
		expect(service.state() === before).toBe(operation === 'addToClasses');

		const classIds = ['unknown', RUST.id];
		const items = [{}, {}];
		for (const onError of ['continueRegularOutput', 'continueErrorOutput'] as const) {
			const each = await errorsFor(classIds, { items, onError });
			expect(each).toEqual([0, 1].map(() => expect.stringMatching(`^${MAYBE}`)));
			expect(each.join()).not.toContain('skip this item');
		}
		const [stopped] = await errorsFor(classIds, { items });
		expect(stopped).toContain(
			'The run stopped; refused, but some of the classes may have been changed: item 0; not sent: item 1.',
		);
		expect(await errorsFor(['unknown'])).toEqual([expect.stringMatching(/^Refused: /)]);
	});
});

test.each(['addToClass', 'addManyToClass', 'sendMagicLink'])(
	'%s: that Retry On Fail sends it again is said only where the run stops',
	async (operation) => {
		const AGAIN = "With 'Retry On Fail', the node sends it again.";
		fixture.service.temper = failWith(500);
		const { error } = await fixture.student(operation);
		expect(error?.description).toMatch(/^It is unknown whether the request took effect\./);
		expect(error?.description).toContain(AGAIN);
		// n8n would run the node again only if the first item failed.
		fixture.service.temper = inTurn({}, failWith(500));
		const parameters = { ...ONE_BY_ONE, ...EMAIL_OF_ITEM, options: { batchSize: 1 } };
		const options = { items: rows(2), ...CONTINUE };
		const [said] = errorsOf(await fixture.student(operation, parameters, options));
		expect(said).toContain('It is unknown whether the request took effect.');
		expect(said).not.toContain('Retry On Fail');
		fixture.service.temper = failWith(403);
		expect(textOf(await fixture.student(operation))).not.toContain('Retry On Fail');
	},
);

/** What becomes of one row, in the first words of its error. */
test.each([
	['addToClass', 400, 'Refused: The service rejected the request (status 400)'],
	['addToClass', 429, 'Refused: Too many requests (status 429)'],
	['addToClass', 500, 'May or may not have been added: The service returned a server error'],
	['addManyToClass', 500, 'May or may not have been added: The service returned a server error'],
	['removeFromClass', 500, 'May or may not have been removed: The service returned a server error'],
	['sendMagicLink', 503, 'May or may not have been sent: The service is not available'],
])('%s: the message says what became of it after %i', async (operation, status, words) => {
	fixture.service.temper = failWith(status);
	const { error } = await fixture.student(operation, NO_RETRIES);
	expect(error?.message.slice(0, words.length)).toBe(words);
	if (operation === 'addManyToClass') return;
	const [item] = errorsOf(await fixture.student(operation, NO_RETRIES, CONTINUE));
	expect(item!.slice(0, words.length)).toBe(words);
});

test('what was not sent says so: no connection, or others failed before', async () => {
	fixture.service.temper = failWith(503);
	const options = { items: rows(30), ...CONTINUE };
	const errors = errorsOf(await fixture.student('sendMagicLink', EMAIL_OF_ITEM, options));
	expect(errors.at(-1)).toMatch(/^Not sent: the service was down \(status 503\)\. /);
	await fixture.service.close();
	const { error } = await fixture.student('addToClass', NO_RETRIES);
	expect(error?.message).toMatch(/^Not sent: No response from .*: connection refused$/);
});

describe('two rows of one student, of which the later is sent for both', () => {
	const TWICE = [...rows(2), { email: 'Student-0@example.com' }];
	const add = async (temper: Temper, options: Partial<RunOptions> = {}) => {
		fixture.service.temper = temper;
		return await fixture.student('addManyToClass', NO_RETRIES, { items: TWICE, ...options });
	};

	test.each<[Temper, string]>([
		[{ rejectEmails: ['student-0@example.com'] }, 'was refused'],
		[failWith(500), 'may or may not have been added'],
	])('the earlier one was not sent: %j', async (temper, became) => {
		const [first, ...others] = errorsOf(await add(temper, CONTINUE));
		expect(first).toContain(
			`student-0@example.com was not sent, as a later row took its place (item 0): item 2 ${became}: The service `,
		);
		expect(others.at(-1)).toContain(`Student-0@example.com ${became} (item 2): The service `);
	});

	test('the lists of what became of the rows say so, too', async () => {
		const message = async (temper: Temper) => (await add(temper)).error?.message;
		expect(await message(failWith(403))).toContain(
			'; refused: items 1-2; not sent, as a later row took its place: item 0.',
		);
		const parameters = { ...ONE_BY_ONE, options: { batchSize: 1 } };
		fixture.service.temper = failWith(500);
		const { error } = await fixture.student('addManyToClass', parameters, { items: TWICE });
		expect(error?.message).toContain(
			'; may or may not have been added: item 1; not sent, as a later row took its place: item 0; not sent: item 2.',
		);
	});

	test('both are added with it', async () => {
		const { items } = await add({});
		const [, one, last] = TWICE.map(({ email }) => email);
		expect(items.map(({ json }) => json.email)).toEqual([last, one, last]);
	});
});

if (WAY === 'step') {
	test('what an earlier try has done stays done when a correction of it is refused', async () => {
		const until = (date: string) => ({
			...EMAIL_OF_ITEM,
			...ONE_BY_ONE,
			accessExpiration: 'date',
			expirationDate: date,
		});
		const options = { items: rows(2) };
		fixture.service.temper = inTurn({}, failWith(400));
		const { run } = await fixture.student('addToClass', until('2030-01-01'), options);
		const retryOf = { run, workflow: 'current' as const };
		const again = { ...options, retryOf };
		const { error } = await fixture.student('addToClass', until('2031-01-01'), again);
		expect(error?.message).toContain(
			'The run stopped; added by an earlier try only: item 0; not sent: item 1.',
		);
	});
}

test('an error of an operation that only reads says what was read', async () => {
	fixture.service.temper = inTurn({}, failWith(403));
	const { error } = await fixture.classes(ONE_BY_ONE, { items: rows(3) });
	expect(error?.message).toMatch(/\. The run stopped; read: item 0\.$/);
});

test('an error begins with the address as it was entered, but not with all of a long text', async () => {
	const items = [{ email: ' Ana@example.com' }, { email: 'a'.repeat(100) }];
	fixture.service.temper = failWith(400);
	const errors = errorsOf(await fixture.student('addManyToClass', {}, { items, ...CONTINUE }));
	expect(errors.map((error) => error.split(':')[0])).toEqual([
		'Ana@example.com was refused (item 0)',
		`${'a'.repeat(80)} was not sent (item 1)`,
	]);
});
