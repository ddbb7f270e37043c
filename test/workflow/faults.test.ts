import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import { inspect } from 'node:util';
import { jsonOf, OPERATIONS, useService, WRITES } from './fixture';

const fixture = useService();

test.each([
	['user:100%', 'user:100%'],
	['user:100%25', 'user:100%'],
	['user:%2541', 'user:%41'],
	['us%er:a%zz', 'us%er:a%zz'],
	['us%40er:p%40ss%3A', 'us@er:p@ss:'],
])('a proxy takes the user and password %s', async (userinfo, sent) => {
	const received: Array<string | undefined> = [];
	const proxy = createServer((request, response) => {
		received.push(request.headers['proxy-authorization']);
		response.end('{}');
	}).listen(0, '127.0.0.1');
	await once(proxy, 'listening');
	const { port } = proxy.address() as AddressInfo;
	const results = await Promise.all(
		['addToClass', 'addManyToClass'].map(
			async (operation) =>
				await fixture.student(
					operation,
					{ requestOptions: { proxy: `http://${userinfo}@127.0.0.1:${port}` } },
					{
						credential: { baseUrl: 'http://service.invalid/v1', accessToken: 'test-access-token' },
					},
				),
		),
	);
	proxy.close();
	expect(results.map(({ error }) => error?.message)).toEqual([undefined, undefined]);
	const header = `Basic ${Buffer.from(sent).toString('base64')}`;
	expect(received).toEqual([header, header]);
});

test('a response that is not HTTP is named by its code', async () => {
	const server = createTcpServer((socket) => {
		socket.on('error', () => {});
		socket.end('nonsense\r\n\r\n');
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	const baseUrl = `http://127.0.0.1:${port}/v1`;
	const { error } = await fixture.student(
		'sendMagicLink',
		{},
		{ credential: { baseUrl, accessToken: 'test-access-token' } },
	);
	server.close();
	expect(error?.message).toMatch(
		/^No response from http:\S+\/magic-link: the connection failed with HPE_\w+$/,
	);
	expect(error?.description).toMatch(/^It is unknown whether the request took effect\./);
});

test('a connection that the system refuses to make changed nothing', async () => {
	// The system refuses to connect to the broadcast address.
	const { error } = await fixture.student(
		'sendMagicLink',
		{ requestOptions: { maxRetries: 0 } },
		{ credential: { baseUrl: 'http://255.255.255.255/v1', accessToken: 'test-access-token' } },
	);
	expect(error?.message).toMatch(/^No response from http:\S+: the /);
	expect(error?.description).toMatch(/^Nothing was changed\. Check the Base URL/);
});

describe('a response that is cut off', () => {
	test('is asked for again', async () => {
		fixture.service.temper = { cutOff: { times: 1 } };
		const { error, items } = await fixture.classes({ returnAll: true });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(2);
		expect(fixture.service.requests).toHaveLength(2);
	});

	test('is said to be so where it stays so, and the Base URL is not blamed', async () => {
		fixture.service.temper = { cutOff: {} };
		const { error } = await fixture.classes({ requestOptions: { maxRetries: 1 } });
		expect(fixture.service.requests).toHaveLength(2);
		expect(error?.message).toMatch(/^The response from http:\S+ was cut off$/);
		expect(`${error?.message} ${error?.description}`).not.toMatch(/No response|Base URL/);
	});

	test.each(WRITES)('$name is not repeated, because its outcome is unknown', async (operation) => {
		fixture.service.temper = { cutOff: {} };
		const { error } = await fixture.run(operation);
		expect(fixture.service.requests).toHaveLength(1);
		expect(error?.message).toMatch(/^The response from http:\S+ was cut off$/);
		expect(error?.description).toContain('It is unknown whether the request took effect.');
	});
});

describe('Base URL and Access Token in the wrong fields', () => {
	const TOKEN = 'eyJhbGciOiJIUzI1NiJ9.c2VjcmV0LW9mLXRoZS1zY2hvb2w.5zBLmYyxkTdnpGqZ';
	const cases = OPERATIONS.flatMap((operation) =>
		(['step', 'routing'] as const).map((way) => ({ ...operation, way })),
	);

	test.each(cases)('$name as a $way shows the token nowhere', async ({ way, ...operation }) => {
		const credential = { baseUrl: TOKEN, accessToken: fixture.service.baseUrl };
		for (const onError of [
			'stopWorkflow',
			'continueErrorOutput',
			'continueRegularOutput',
		] as const) {
			const options = { credential, onError, way };
			const result = await fixture.run(operation, {}, options);
			const shown = inspect(result, { depth: Infinity }) + JSON.stringify(result.run.data);
			for (const part of TOKEN.split('.')) expect(shown).not.toContain(part);
			expect(shown).toContain("'Base URL' of the credential is not a valid URL");
			expect(fixture.service.requests).toEqual([]);
		}
	});

	test.each([`https://${TOKEN}@host/v1`, `https:// ${TOKEN}`, `http://${TOKEN}:x`, `//${TOKEN}`])(
		'nor where it is part of an address that cannot be used: %s',
		async (baseUrl) => {
			const { run, errorItems } = await fixture.student(
				'addToClass',
				{},
				{ credential: { baseUrl, accessToken: 'x' }, onError: 'continueErrorOutput' },
			);
			expect(inspect(run, { depth: Infinity })).not.toContain(TOKEN);
			expect(jsonOf(errorItems)[0]!.error).toContain("'Base URL' of the credential");
		},
	);
});
