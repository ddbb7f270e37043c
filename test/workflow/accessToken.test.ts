import { inspect } from 'node:util';
import type { ICredentialTestFunctions, IHttpRequestOptions } from 'n8n-workflow';
import { loadPackage } from './engine';
import { startService } from '../service/service';
import { useService, VALID } from './fixture';

const TOKEN = 'test-access-token';

describe('the access token of the credential', () => {
	const fixture = useService();
	const withToken = (accessToken: unknown) => ({
		credential: { baseUrl: fixture.service.baseUrl, accessToken },
	});

	test.each([`Bearer ${TOKEN}`, ` bearer  ${TOKEN}\n`, `={{ "BEARER " }}${TOKEN}`])(
		'may be typed as %j',
		async (accessToken) => {
			const { error } = await fixture.student('addToClass', {}, withToken(accessToken));
			expect(error).toBeUndefined();
			const [{ headers }] = fixture.service.requests as [(typeof fixture.service.requests)[0]];
			expect(headers.authorization).toBe(`Bearer ${TOKEN}`);
		},
	);

	test('is hidden without the word Bearer', async () => {
		fixture.service.temper = {
			failWith: { status: 400, body: { status: 'error', message: `Bad ${TOKEN}` } },
		};
		const { error } = await fixture.student('addToClass', {}, withToken(`Bearer ${TOKEN}`));
		expect(error?.message).toBe('The service rejected the request (status 400): Bad ***');
	});

	test.each(Object.keys(VALID))('%s sends nothing where there is none', async (operation) => {
		for (const accessToken of ['={{ $json.missing }}', '={{ null }}', ' ', 'Bearer ']) {
			const { error } = await fixture.student(operation, {}, withToken(accessToken));
			expect(fixture.service.requests).toEqual([]);
			expect(error?.message).toBe("'Access Token' of the credential contains no token [item 0]");
			expect(error?.description).toContain("Open the credential 'Class Enrollment API'");
		}
	});

	test('that is not text is refused, and not shown', async () => {
		const { run, error } = await fixture.student(
			'addToClass',
			{},
			withToken('={{ { value: "secret-of-the-school" } }}'),
		);
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toBe("'Access Token' of the credential contains no token [item 0]");
		expect(inspect(run.data.resultData, { depth: Infinity })).not.toMatch(
			/secret-of-the-school"? \}.*refused/,
		);
		expect(JSON.stringify([error?.message, error?.description])).not.toContain('secret');
	});
});

describe('the credential by itself, as in its test', () => {
	const authenticate = async (accessToken: unknown) => {
		const { type } = (await loadPackage()).getCredential('classEnrollmentApi');
		const run = type.authenticate as (
			this: ICredentialTestFunctions | void,
			credentials: object,
			options: IHttpRequestOptions,
		) => Promise<IHttpRequestOptions>;
		return await run.call(undefined, { accessToken }, { url: '/classe', headers: { a: 'b' } });
	};

	test('sends the same token as the node', async () => {
		expect(await authenticate(` Bearer ${TOKEN} `)).toEqual({
			url: '/classe',
			headers: { a: 'b', Authorization: `Bearer ${TOKEN}` },
		});
	});

	test.each([undefined, '', 'Bearer'])('refuses the token %j', async (token) => {
		await expect(authenticate(token)).rejects.toThrow(
			"'Access Token' of the credential contains no token",
		);
	});
});

test.each([
	['as \\u002B in JSON', 'secret+token', 'secret\\u002Btoken'],
	['in lower-case percent-encoding', 'secret+token/1', 'secret%2btoken%2f1'],
	['in partial percent-encoding', 'secret+token/1', 'secret%2Btoken/1'],
	['as entities', 'secret+token', 'secret&#43;token'],
	['with a quote', 'secret"token', 'secret\\"token'],
	['with a backslash', 'secret\\token', 'secret\\\\token'],
	['with a tab', 'secret\ttoken', 'secret\\ttoken'],
])('the token is hidden %s', async (_form, accessToken, said) => {
	const service = await startService({ accessToken });
	service.temper = { failWith: { status: 400, text: `{"message": "Bad ${said}"}` } };
	const { runNode } = await import('./engine');
	const { error } = await runNode({
		credential: service,
		parameters: { resource: 'student', operation: 'addToClass', ...VALID.addToClass },
	});
	await service.close();
	expect(error?.message).toBe('The service rejected the request (status 400): Bad ***');
});
