import { type INodeParameters, Workflow } from 'n8n-workflow';
import { once } from 'node:events';
import { type AddressInfo, createServer, Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import type { RequestRecord, Temper } from '../service/service';
import { loadPackage, nodeOf, nodeTypesOf, type RunOptions, WAY } from './engine';
import { NO_RETRIES, OPERATIONS, PYTHON, useService, WEB_PAGE } from './fixture';
import { NOT_TRUSTED, useUntrustedService } from './tls/service';

const TOKEN = 'test-access-token';
const LOCATION = `https://example.com/${TOKEN}`;
const ON_ERROR = ['stopWorkflow', 'continueErrorOutput', 'continueRegularOutput'] as const;

const fixture = useService();
const add = async (credential: RunOptions['credential'], parameters: INodeParameters = {}) =>
	await fixture.student('addToClass', parameters, { credential });
const addAt = async (baseUrl: string, parameters: INodeParameters = NO_RETRIES) =>
	await add({ baseUrl, accessToken: TOKEN }, parameters);
const addWith = async (accessToken: unknown) =>
	await add({ baseUrl: fixture.service.baseUrl, accessToken });

/** The Base URL that the test of the credential requests. */
async function testedUrl(baseUrl: string) {
	const loader = await loadPackage();
	const node = nodeOf({ parameters: {} });
	const nodeTypes = nodeTypesOf(loader, 'step');
	const { expression } = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
	const { baseURL } = loader.getCredential('classEnrollmentApi').type.test!.request;
	return expression.getSimpleParameterValue(node, baseURL, 'internal', {
		$credentials: { baseUrl },
	});
}

describe('the Base URL', () => {
	test.each([
		'https://user:secret@example.com/v1',
		'',
		'nonsense',
		'ftp://example.com/v1',
		'xhttps://example.com/v1',
		'https://',
		'/v1',
		'https://example.com/v1?key=1',
		'https://example.com/v1\u200b',
		'https://exam\u200bple.com/v1',
	])('%j is refused, by the test of the credential, too', async (baseUrl) => {
		// n8n shows it as an address that is not valid.
		expect(await testedUrl(baseUrl)).toBe('');
		const { error } = await addAt(baseUrl);
		expect(error?.message).toBe("'Base URL' of the credential is not a valid URL [item 0]");
		expect(error?.description).toContain("Open the credential 'Class Enrollment API'");
	});

	test('may be a host alone', async () => {
		fixture.allowViolations();
		const { origin } = new URL(fixture.service.baseUrl);
		for (const baseUrl of [origin, ` ${origin}/`, origin.replace('http', 'HTTP')]) {
			expect(await testedUrl(baseUrl)).toBe(baseUrl.trim().replace(/\/$/, ''));
			expect((await addAt(baseUrl)).error?.message).toContain('returned "not found" (status 404)');
		}
		const path = `/classe/${PYTHON.id}/add-student`;
		expect(fixture.service.requests).toMatchObject([{ path }, { path }, { path }]);
	});

	test('may have slashes and blanks around it', async () => {
		expect((await addAt(` ${fixture.service.baseUrl}// `)).error).toBeUndefined();
	});

	test.each([
		['http://nowhere.invalid', /nowhere\.invalid.*(the host was not found|could not be resolved)/],
		// The system refuses to connect to the broadcast address.
		['http://255.255.255.255', /: the /],
		['https://127.0.0.1:PORT', /no HTTPS connection could be made/],
	])('%s cannot be reached, and nothing was changed', async (address, says) => {
		const { error } = await addAt(address.replace('PORT', new URL(fixture.service.baseUrl).port));
		expect(error?.message).toMatch(/^student@example\.com: not added: No response from http/);
		expect(error?.message).toMatch(says);
		expect(error?.description).toMatch(/^Check 'Base URL'/);
	});
});

test('a connection that is closed before it is secure has sent nothing', async () => {
	const server = createServer((socket) => socket.destroy());
	await once(server.listen(0, '127.0.0.1'), 'listening');
	const { port } = server.address() as AddressInfo;
	const { error } = await addAt(`https://127.0.0.1:${port}`);
	server.close();
	expect(error?.message).toMatch(/^student@example\.com: not added: No response from .*was closed/);
});

describe('an access token', () => {
	const SECRET = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LW9mLXRoZS1zY2hvb2w.5zBLmYyxkTdnpGqZ';

	test.each([
		TOKEN,
		` ${TOKEN}\n`,
		`Bearer ${TOKEN}`,
		` bearer \t ${TOKEN}\n`,
		`={{ "BEARER " }}${TOKEN}`,
		`Authorization: Bearer ${TOKEN}`,
		`"${TOKEN}"`,
		`“${TOKEN}”`,
		`Bearer '${TOKEN}'`,
		`${TOKEN}…`,
		...['\u200B', '\u2060', '\u0000', '\n'].map(
			(one) => TOKEN.slice(0, 4) + one + TOKEN.slice(4) + one,
		),
	])('may be entered as %j', async (accessToken) => {
		const body = { status: 'error', message: `Bad ${TOKEN}` };
		fixture.service.temper = { failWith: { status: 400, body } };
		const { error } = await addWith(accessToken);
		expect(fixture.service.requests[0]!.headers.authorization).toBe(`Bearer ${TOKEN}`);
		expect(error?.message).toBe(
			'student@example.com: rejected by the service (status 400): Bad *** [item 0]',
		);
	});

	test.each(OPERATIONS)('is needed for $name', async (operation) => {
		const { baseUrl } = fixture.service;
		const noToken = ['={{ $json.missing }}', ' ', 'Bearer ', '={{ { value: "secret" } }}'];
		for (const accessToken of noToken) {
			const options = { credential: { baseUrl, accessToken } };
			const { error } = await fixture.run(operation, {}, options);
			expect(error?.message).toBe("'Access Token' of the credential contains no token [item 0]");
			expect(error?.description).toContain("Open the credential 'Class Enrollment API'");
			expect(error?.description).not.toContain('secret');
		}
		expect(fixture.service.requests).toEqual([]);
	});

	test.each<[string, Temper]>([
		['an answer', { answerJson: { got: TOKEN } }],
		['a redirect', { failWith: { status: 302, text: TOKEN, headers: { location: LOCATION } } }],
		['an error', { failWith: { status: 400, body: { message: `Bad ${TOKEN}` } } }],
		['a server error', { failWith: { status: 500 } }],
		['a broken connection', { drop: { when: 'before' } }],
		['a web page', WEB_PAGE],
	])('does not show in %s', async (_case, temper) => {
		for (const onError of ON_ERROR) {
			fixture.service.temper = { ...temper };
			const { run, error } = await fixture.student('addToClass', NO_RETRIES, { onError });
			expect(JSON.stringify(run)).not.toContain(TOKEN);
			expect(`${error?.message} ${error?.description}`).not.toContain(TOKEN);
		}
	});

	test('changes no data that contain it', async () => {
		const known = { id: `${TOKEN}-101`, name: `Python at ${TOKEN}` };
		fixture.service.classes.addClass(known);
		const { items } = await fixture.classes({ filters: { query: 'Python at' } });
		expect(items.map(({ json }) => json)).toMatchObject([known]);
	});

	const ADDRESSES = [
		'SECRET',
		'https://SECRET@host/v1',
		'https:// SECRET',
		'http://SECRET:x',
		'//SECRET',
	];
	test.each(ADDRESSES)('in the place of the Base URL %s shows nowhere', async (address) => {
		const credential = { baseUrl: address.replace('SECRET', SECRET), accessToken: TOKEN };
		for (const onError of ON_ERROR) {
			for (const operation of OPERATIONS) {
				const result = await fixture.run(operation, {}, { credential, onError });
				const text = inspect(result, { depth: Infinity }) + JSON.stringify(result.run.data);
				for (const part of SECRET.split('.')) expect(text).not.toContain(part);
				expect(text).toContain("'Base URL' of the credential is not a valid URL");
			}
		}
	});
});

test('the test of the credential sends the token and trusts the service as the node does', async () => {
	const { type } = (await loadPackage()).getCredential('classEnrollmentApi');
	const { url, qs, skipSslCertificateValidation } = type.test!.request;
	// A service may reject any page size.
	expect([url, qs]).toEqual(['/classe', undefined]);
	expect(skipSslCertificateValidation).toMatch(/ignoreSslIssues/);
	const authenticate = async (accessToken: unknown) =>
		await (type.authenticate as (...args: object[]) => Promise<object>)(
			{ accessToken },
			{ url, headers: { a: 'b' } },
		);
	const headers = { a: 'b', Authorization: `Bearer ${TOKEN}` };
	expect(await authenticate(` Bearer ${TOKEN} `)).toEqual({ url, headers });
	for (const missing of [undefined, '', 'Bearer']) {
		await expect(authenticate(missing)).rejects.toThrow('contains no token');
	}
});

describe('a proxy', () => {
	const BEHIND = { baseUrl: 'http://service.invalid/v1', accessToken: TOKEN };
	const through = async (operation: string, proxy: string, credential = BEHIND) =>
		await fixture.student(operation, { requestOptions: { proxy, giveUpAfter: 0 } }, { credential });

	test.each(['addToClass', 'addManyToClass'])('that is not there fails %s', async (operation) => {
		const { error } = await through(operation, 'http://127.0.0.1:9');
		expect(error?.message).toMatch(
			/^student@\S+: not added: No response from http:\S+ through the proxy: connection refused \[item 0\]$/,
		);
		expect(error?.description).toMatch(/^Check 'Proxy' under Settings > Request Options/);
	});

	// The routing leaves the proxy to n8n.
	if (WAY === 'step') {
		test.each([
			['http://127.0.0.1', 80],
			['https://127.0.0.1', 443],
		])('%s is expected at the usual port', async (proxy, port) => {
			const connect = jest.spyOn(Socket.prototype, 'connect').mockImplementation(() => {
				throw new Error('Not connected');
			});
			await through('addToClass', proxy);
			const [target] = connect.mock.calls.flat(2);
			connect.mockRestore();
			expect(target).toMatchObject({ port });
		});
	}

	const CASES: Array<[userinfo: string, sent: string | undefined]> = [
		['', undefined],
		['user:p%40ss@', 'user:p@ss'],
		['user:100%25@', 'user:100%'],
		['user:%2541@', 'user:%41'],
		['us%40er:p%40ss%3A@', 'us@er:p@ss:'],
	];
	test.each(CASES)('gets the user and password %j', async (userinfo, sent) => {
		fixture.allowViolations();
		const { host } = new URL(fixture.service.baseUrl);
		for (const operation of ['addToClass', 'addManyToClass']) {
			await through(operation, `${sent ? '' : ' '}http://${userinfo}${host}`);
		}
		const header = sent && `Basic ${Buffer.from(sent).toString('base64')}`;
		const received = fixture.service.requests.map(({ headers }) => headers['proxy-authorization']);
		expect(received).toEqual([header, header]);
	});
});

test.each(['addToClass', 'addManyToClass'])(
	'%s: a request that took too long is ended',
	async (operation) => {
		fixture.service.temper = { latencyMs: Infinity };
		const requestOptions = { timeout: 1000, giveUpAfter: 0 };
		const { error } = await fixture.student(operation, { requestOptions });
		expect(error?.message).toContain('it took too long to respond');
		await sleep(50);
		const [{ receivedAt, closedAt }] = fixture.service.requests as [RequestRecord];
		expect(closedAt! - receivedAt).toBeLessThan(1100);
	},
);

describe('a self-signed certificate', () => {
	const { seen, trusting } = useUntrustedService();

	test.each(['addToClass', 'addManyToClass'])('fails %s in plain words', async (operation) => {
		const add = async (ignoreSslIssues: boolean, requestOptions = {}) => {
			const credential = trusting(ignoreSslIssues);
			return await fixture.student(operation, { requestOptions }, { credential });
		};
		const { error } = await add(false);
		expect(error?.message).toMatch(NOT_TRUSTED);
		expect(error?.description).not.toContain('If it worked before');
		expect(error?.message).toMatch(/^student@example\.com: not added: /);
		expect(seen).toEqual({ requests: 0, connections: 1 });
		expect((await add(false, { allowUnauthorizedCerts: true })).items).toHaveLength(1);
		expect((await add(true)).items).toHaveLength(1);
		expect(seen.requests).toBe(2);
	});
});
