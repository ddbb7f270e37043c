import { startService } from '../service/service';
import { jsonOf, PYTHON, useService, WRITES } from './fixture';

const NO_RETRIES = { requestOptions: { maxRetries: 0 } };
const TOKEN = 'test-access-token';

describe('what the service returns', () => {
	const fixture = useService();

	test.each(WRITES)('$name: an empty response is a success', async (operation) => {
		for (const status of [200, 204] as const) {
			fixture.service.temper = { answerEmpty: status };
			fixture.service.classes.enroll(
				fixture.service.classes.listClasses().map(({ id }) => id),
				[{ email: 'student@example.com' }],
			);
			const { items, error } = await fixture.run(operation);
			expect(error).toBeUndefined();
			expect(items).toHaveLength(1);
		}
	});

	test.each([' \n', '{}', '\uFEFF{}'])('the body %j is a success', async (text) => {
		fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
		const { items, error } = await fixture.student('addToClass');
		expect(error).toBeUndefined();
		expect(Object.keys(items[0]!.json)).toEqual(['success', 'email', 'classId']);
	});

	test.each([
		{ status: 'ok' },
		{ status: 1 },
		{ success: true, status: null },
		{ note: 'with \uFEFF inside' },
	])('the response %j does not say that it failed', async (answer) => {
		fixture.service.temper = { answerJson: answer };
		const { items, error } = await fixture.student('addToClass');
		expect(error).toBeUndefined();
		expect(items[0]!.json).toMatchObject({ ...answer, success: true });
	});

	test.each(WRITES)(
		'$name: a web page is no success, and leaves the outcome open',
		async (operation) => {
			fixture.service.temper = { answerHtml: true };
			const { error, items } = await fixture.run(operation);
			expect(items).toEqual([]);
			expect(error?.message).toContain('The service returned a web page');
			expect(error?.description).toMatch(
				/^It is unknown whether the request took effect\. .* Check the Base URL of the credential/,
			);
		},
	);

	test('a web page instead of classes changes nothing', async () => {
		fixture.service.temper = { answerHtml: true };
		const { error } = await fixture.classes();
		expect(error?.message).toBe('The service returned a web page instead of JSON (status 200)');
		expect(error?.description).toMatch(/^Check the Base URL of the credential/);
	});

	test.each([
		['done', 'text that is not JSON'],
		['a < b', 'text that is not JSON'],
		[' \n<p>done</p>', 'a web page instead of JSON'],
	])('the text %j is no success', async (text, what) => {
		fixture.service.temper = { answerText: { text, contentType: 'text/plain' } };
		const { error } = await fixture.student('addToClass');
		expect(error?.message).toBe(`The service returned ${what} (status 200)`);
	});

	test.each([201, 202, 299])('status %i is a success', async (status) => {
		fixture.service.temper = { failWith: { status, text: '{}' } };
		const { items, error } = await fixture.student('addToClass');
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});

	test.each([300, 304])('status %i is no success, and leaves the outcome open', async (status) => {
		fixture.service.temper = { failWith: { status, text: status === 304 ? '' : '{}' } };
		const { error } = await fixture.student('addToClass');
		expect(error?.message).toBe(`The service returned an unclear response (status ${status})`);
		expect(error?.description).toContain('It is unknown whether the request took effect.');
	});

	test.each(['error', 'ERROR'])('an error body is no success: %s', async (status) => {
		fixture.service.temper = { answerJson: { status, message: 'Class is full' } };
		expect((await fixture.student('addToClass')).error?.message).toContain('Class is full');
	});

	test('a response that says it failed is a failure', async () => {
		const text = '{"success": false, "message": "nope"}';
		fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
		expect((await fixture.student('addToClass')).error?.message).toContain('nope');
	});

	test.each([
		['{"error": "broken"}', 'broken'],
		['{"message": ["a", "b"]}', 'a; b'],
		['{"message": {"deep": 1}}', '{"message": {"deep": 1}}'],
	])('what is said in the form %s is shown', async (text, said) => {
		fixture.service.temper = { failWith: { status: 400, text } };
		expect((await fixture.student('addToClass')).error?.message).toContain(`: ${said}`);
	});

	test('a long message is cut', async () => {
		const message = 'x'.repeat(10_000);
		fixture.service.temper = { failWith: { status: 400, body: { status: 'error', message } } };
		expect((await fixture.student('addToClass')).error?.message).toBe(
			`The service rejected the request (status 400): ${'x'.repeat(500)}`,
		);
	});

	test('a response without a list of classes is an error', async () => {
		fixture.allowViolations();
		fixture.service.temper = { answerText: { text: '{}', contentType: 'application/json' } };
		expect((await fixture.classes()).error?.message).toContain('contains no list of classes');
		fixture.service.temper = { answerEmpty: 200 };
		expect((await fixture.classes()).error?.message).toContain('contains no list of classes');
	});

	test.each([
		[
			400,
			/The service rejected the request \(status 400\): Said so/,
			/Check the class and the email/,
		],
		[
			401,
			/did not accept the access token \(status 401\): Said so/,
			/credential 'Class Enrollment API'/,
		],
		[403, /does not have permission for this operation \(status 403\): Said so/, /credential/],
		[404, /returned "not found" \(status 404\)/, /no class has this ID.*Base URL/],
		[409, /rejected the request \(status 409\)/, /Check this node's parameters/],
		[413, /too large/, /Batch Size/],
		[422, /rejected the request \(status 422\)/, /Check the class/],
		[429, /Too many requests/, /Max Concurrent Requests/],
		[
			500,
			/The service returned a server error \(status 500\): Said so/,
			/unknown whether the request took effect/,
		],
		[502, /returned a server error \(status 502\)/, /unknown whether the request took effect/],
		[503, /not available right now/, /unknown whether the request took effect/],
		[504, /returned a server error \(status 504\)/, /unknown whether the request took effect/],
		[418, /rejected the request \(status 418\)/, /Check this node's parameters/],
	])('status %i', async (status, message, description) => {
		fixture.service.temper = {
			failWith: { status, body: { status: 'error', message: 'Said so' } },
		};
		const { error } = await fixture.student('addToClass', NO_RETRIES);
		expect(error?.name).toBe('NodeApiError');
		expect(error?.httpCode).toBe(String(status));
		expect(error?.message).toMatch(message);
		expect(error?.message).toContain('Said so');
		expect(error?.description).toMatch(description);
		expect(error?.context).toMatchObject({ itemIndex: 0 });
		expect(fixture.service.requests).toHaveLength(1);
	});

	test.each([
		['addToClass', /no class has this ID/],
		['addToClasses', /no class has one of the IDs/],
		['addManyToClass', /no class has this ID/],
		['removeFromClass', /the student is not in it/],
		['removeFromClasses', /the student is not in one of them/],
		['sendMagicLink', /administrative account/],
	])('%s: a 400 comes with its likely causes', async (operation, causes) => {
		fixture.service.temper = { failWith: { status: 400 } };
		const { error } = await fixture.student(operation);
		expect(error?.message).toContain('Told to fail');
		expect(error?.description).toMatch(causes);
	});

	test.each(['not json', 'null', '[]', '{"message": []}', '{"message": " "}', ''])(
		'an error with the body %j still says the status, and nothing else',
		async (text) => {
			fixture.service.temper = { failWith: { status: 400, text } };
			const { error } = await fixture.student('addToClass');
			expect(error?.message).toBe('The service rejected the request (status 400)');
		},
	);

	test.each([500, 502])('reading can be tried again after status %i', async (status) => {
		fixture.service.temper = { failWith: { status } };
		const { error } = await fixture.classes(NO_RETRIES);
		expect(error?.description).toBe('Try again later.');
	});

	test("n8n's catchwords in what the service says do not replace it", async () => {
		const message = 'A preexisting enrollment';
		fixture.service.temper = { failWith: { status: 400, body: { status: 'error', message } } };
		expect((await fixture.student('addToClass')).error?.message).toContain(message);
	});

	test.each(WRITES)(
		'$name: the error becomes the item under "continue on fail"',
		async (operation) => {
			fixture.service.temper = { failWith: { status: 400 } };
			const { items } = await fixture.run(operation, {}, { onError: 'continueRegularOutput' });
			expect(jsonOf(items)).toEqual([
				expect.objectContaining({
					error: expect.stringMatching(/status 400\): Told to fail with 400\. Check/),
				}),
			]);
			expect(items[0]!.pairedItem).toEqual({ item: 0 });
		},
	);

	test('the service refuses an administrative account its magic link', async () => {
		const { error } = await fixture.student('sendMagicLink', { email: 'admin@example.com' });
		expect(error?.description).toContain('administrative account');
		expect(fixture.service.magicLinks).toEqual([]);
	});
});

describe('redirects', () => {
	const fixture = useService();

	test.each([301, 302, 303, 307, 308] as const)('%i is not followed', async (status) => {
		const location = 'https://elsewhere.example.com/v1';
		fixture.service.temper = { redirectTo: { location, status } };
		const { error } = await fixture.student('addToClass');
		expect(fixture.service.requests).toHaveLength(1);
		expect(error?.message).toContain(`moved to another address (status ${status})`);
		expect(error?.description).toMatch(
			/credential 'Class Enrollment API'\. It points to https:\/\/elsewhere\.example\.com\/v1$/,
		);
	});

	test('a redirect to nowhere names no address', async () => {
		fixture.service.temper = { failWith: { status: 302, text: '' } };
		const { error } = await fixture.student('addToClass');
		expect(error?.message).toBe('The service has moved to another address (status 302)');
		expect(error?.description).toMatch(/credential 'Class Enrollment API'\.$/);
	});
});

describe('redirects of the Base URL', () => {
	const fixture = useService();

	test('name the new Base URL, without what follows it', async () => {
		const path = '/classe/c0ffee00-0000-4000-8000-000000000001/add-student';
		const location = `https://new.example.com/v2${path}?token=test-access-token`;
		fixture.service.temper = { redirectTo: { location, status: 308 } };
		const { error } = await fixture.student('addToClass');
		expect(error?.description).toMatch(
			/The new Base URL would be https:\/\/new\.example\.com\/v2$/,
		);
	});
});

describe('no response', () => {
	const fixture = useService();
	const to = (baseUrl: string) => ({ credential: { baseUrl, accessToken: TOKEN } });

	test('a dead address', async () => {
		const { error } = await fixture.student('addToClass', NO_RETRIES, to('http://127.0.0.1:9/v1'));
		expect(error?.message).toBe(
			`No response from http://127.0.0.1:9/v1/classe/c0ffee00-0000-4000-8000-000000000001/add-student: connection refused`,
		);
		expect(error?.description).toContain('Nothing was changed');
	});

	test('an unknown host', async () => {
		const { error } = await fixture.student(
			'addToClass',
			NO_RETRIES,
			to('http://nowhere.invalid/v1'),
		);
		expect(error?.message).toMatch(
			/http:\/\/nowhere\.invalid.*(the host does not exist|could not be resolved)/,
		);
	});

	test('a service that is too slow', async () => {
		fixture.service.temper = { stallMs: Infinity };
		const { error } = await fixture.student('sendMagicLink', { requestOptions: { timeout: 700 } });
		expect(error?.message).toContain('it took too long to respond');
		expect(error?.description).toContain('unknown whether the request took effect');
		expect(fixture.service.requests).toHaveLength(1);
	});

	test('reading that takes too long changes nothing', async () => {
		fixture.service.temper = { stallMs: 2000 };
		const { error } = await fixture.classes({ requestOptions: { timeout: 200, maxRetries: 0 } });
		expect(error?.message).toContain('it took too long to respond');
		expect(error?.description).toMatch(/^Nothing was changed\. Check the Base URL/);
	});

	test('a connection that breaks', async () => {
		fixture.service.temper = { drop: { when: 'after' } };
		const { error } = await fixture.student('addToClass');
		expect(error?.message).toContain('the connection was closed');
		expect(fixture.service.requests).toHaveLength(1);
	});

	test.each([
		'https://user:secret@example.com/v1',
		'',
		'nonsense',
		'ftp://example.com/v1',
		'xhttps://example.com/v1',
		'https://',
		'/v1',
		'https://example.com/v1?key=1',
	])('the Base URL %j is refused', async (baseUrl) => {
		const { error } = await fixture.student('addToClass', {}, to(baseUrl));
		expect(error?.message).toBe("'Base URL' of the credential is not a valid URL [item 0]");
		expect(error?.description).toContain("Open the credential 'Class Enrollment API'");
	});

	test('a Base URL may be a host alone', async () => {
		fixture.allowViolations();
		const { origin } = new URL(fixture.service.baseUrl);
		for (const baseUrl of [origin, `${origin}/`, origin.replace('http', 'HTTP')]) {
			const { error } = await fixture.student('addToClass', {}, to(baseUrl));
			expect(error?.message).toContain('returned "not found" (status 404)');
		}
		expect(fixture.service.requests.map(({ path }) => path)).toEqual(
			Array.from({ length: 3 }, () => `/classe/${PYTHON.id}/add-student`),
		);
	});

	test('slashes and blanks around the Base URL and the token are harmless', async () => {
		const credential = { baseUrl: ` ${fixture.service.baseUrl}// `, accessToken: ` ${TOKEN}\n` };
		const { error } = await fixture.student('addToClass', {}, { credential });
		expect(error).toBeUndefined();
	});
});

describe('the access token', () => {
	const fixture = useService();

	test('that contains a line break is refused, and not shown', async () => {
		const accessToken = 'first-half\nsecond-half';
		const { error } = await fixture.student(
			'addToClass',
			{},
			{ credential: { baseUrl: fixture.service.baseUrl, accessToken } },
		);
		// Newer engines send it without the line break, and the service refuses it.
		expect(error?.message).toMatch(
			/: the access token contains a character that cannot be sent\. Copy it into the credential again$|^The service did not accept the access token/,
		);
		expect(JSON.stringify(error)).not.toMatch(/first-half|second-half/);
	});

	test.each([
		['classes', 'The classes are full', 'The classes are full'],
		['ourclass', 'ourclass is full of ourclass', '*** is full of ***'],
		['a/b+c=d.e', 'a/b+c=d.e, a\\/b+c=d.e, a%2Fb%2Bc%3Dd.e, a/b+c=dxe', '***, ***, ***, a/b+c=dxe'],
	])('%s is hidden in "%s"', async (accessToken, said, shown) => {
		const service = await startService({ accessToken });
		const text = `{"message": "${said}"}`;
		service.temper = { failWith: { status: 400, text } };
		const { error } = await fixture.student('addToClass', {}, { credential: service });
		await service.close();
		expect(error?.message).toBe(`The service rejected the request (status 400): ${shown}`);
	});

	test('is also hidden where the credential has blanks around it', async () => {
		const credential = { baseUrl: fixture.service.baseUrl, accessToken: ` ${TOKEN}\n` };
		const body = { status: 'error', message: `Bad ${TOKEN}` };
		fixture.service.temper = { failWith: { status: 400, body } };
		const { error } = await fixture.student('addToClass', {}, { credential });
		expect(error?.message).toBe('The service rejected the request (status 400): Bad ***');
	});

	test('is not accepted: one request, and a message that says so', async () => {
		const accessToken = 'another-token';
		const { error } = await fixture.student(
			'addToClass',
			{},
			{
				credential: { baseUrl: fixture.service.baseUrl, accessToken },
			},
		);
		expect(error?.message).toContain('did not accept the access token (status 401): Unauthorized');
		expect(fixture.service.requests).toHaveLength(1);
	});

	test.each([
		[
			'an answer that repeats it',
			{ answerText: { text: `{"got": "${TOKEN}"}`, contentType: 'application/json' } },
		],
		[
			'a redirect that repeats it',
			{ redirectTo: { location: `https://example.com/${TOKEN}`, status: 302 as const } },
		],
		[
			'an error that repeats it',
			{ failWith: { status: 400, body: { status: 'error', message: `Bad ${TOKEN}` } } },
		],
		['a failure', { failWith: { status: 500 } }],
		['a broken connection', { drop: { when: 'before' as const } }],
		['a web page', { answerHtml: true }],
	])('does not show in %s', async (_case, temper) => {
		for (const onError of [undefined, 'continueRegularOutput'] as const) {
			fixture.service.temper = { ...temper };
			const { run, error } = await fixture.student('addToClass', NO_RETRIES, { onError });
			expect(JSON.stringify(run)).not.toContain(TOKEN);
			expect(`${error?.message} ${error?.description}`).not.toContain(TOKEN);
		}
	});
});
