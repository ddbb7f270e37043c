import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { type RunOptions, runNode } from './engine';
import { VALID } from './fixture';

// Made for the tests alone, by itself and for a hundred years.
const pem = (name: string) => readFileSync(join(__dirname, 'tls', name));

let server: Server;
let credential: RunOptions['credential'];
let received = 0;
let connections = 0;

beforeAll(async () => {
	server = createServer(
		{ key: pem('key.pem'), cert: pem('certificate.pem') },
		(_request, response) => {
			received++;
			response.end('{}');
		},
	);
	server.on('connection', () => connections++);
	server.listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	credential = { baseUrl: `https://127.0.0.1:${port}/v1`, accessToken: 'test-access-token' };
});
afterAll(() => server.close());
beforeEach(() => {
	received = connections = 0;
});

describe.each(['addToClass', 'addManyToClass'])('%s over a certificate of nobody', (operation) => {
	const run = async (requestOptions = {}) =>
		await runNode({
			credential,
			items: [{ email: 'student@example.com' }],
			parameters: { resource: 'student', operation, ...VALID[operation], requestOptions },
		});

	test('is refused in plain words, and not tried again', async () => {
		const { error } = await run();
		expect(error?.message).toContain('its security certificate cannot be trusted');
		expect(error?.message).toContain("'Ignore SSL Issues'");
		expect(error?.description).toContain('Nothing was changed');
		expect([received, connections]).toEqual([0, 1]);
	});

	test('works where the settings ignore it', async () => {
		const { error, items } = await run({ allowUnauthorizedCerts: true });
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(received).toBe(1);
	});
});
