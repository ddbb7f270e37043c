import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RequestRecord, Temper } from '../service/service';
import type { RunOptions, RunResult } from './engine';
import { EMAIL_OF_ITEM, emailOf, jsonOf, PYTHON, rows, RUST, useService, WRITES } from './fixture';

const CONTINUE = { onError: 'continueErrorOutput' } as const;
const UNKNOWN = 'It is unknown whether the request took effect.';
const indexes = (count: number) => Array.from({ length: count }, (_, n) => n);
const fixture = useService();

const errorsOf = ({ errorItems }: RunResult) =>
	jsonOf(errorItems).map(({ error }) => String(error));
const isFor = (n: number) => (request: RequestRecord) =>
	JSON.stringify(request.body ?? '').includes(`"${emailOf(n)}"`);
const textOf = ({ error }: RunResult) => `${error?.message} ${error?.description}`;

/** Responds so after the request has taken effect. */
const afterTheWork = (status: number, headers: Record<string, string> = {}): Temper => ({
	failAfterEffect: { status, headers },
});

/** Gives each request the next of these tempers, and the last one from then on. */
function inTurn(...tempers: Temper[]): Temper {
	let count = 0;
	return { forRequest: () => tempers[Math.min(count++, tempers.length - 1)] };
}

describe('status 503 after the work was done', () => {
	test.each(WRITES.filter(({ kind }) => kind === 'once'))('$name is not repeated', async (once) => {
		fixture.service.temper = afterTheWork(503);
		const result = await fixture.run(once);
		expect(fixture.service.requests).toHaveLength(1);
		expect(textOf(result)).toContain(UNKNOWN);
		expect(textOf(result)).not.toContain('changed');
	});

	test('a magic link that the service asks to request later is requested later', async () => {
		const headers = { 'Retry-After': '1' };
		fixture.service.temper = { failWith: { status: 503, times: 1, headers } };
		const { error, items } = await fixture.student('sendMagicLink');
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
		expect(fixture.service.requests.map(({ status }) => status)).toEqual([503, 200]);
	});

	test.each(WRITES.filter(({ kind }) => kind === 'write'))(
		'$name is repeated, and never said not to have been done',
		async (operation) => {
			fixture.service.temper = afterTheWork(503);
			const result = await fixture.run(operation, { requestOptions: { maxRetries: 2 } });
			// What is already removed is refused.
			const isRemoval = operation.request.method === 'DELETE';
			expect(fixture.service.requests).toHaveLength(isRemoval ? 2 : 3);
			expect(textOf(result)).toContain(UNKNOWN);
			expect(textOf(result)).not.toMatch(/not added|changed/);
		},
	);

	test('a row that was refused after a 503 may have been added', async () => {
		fixture.service.temper = {
			...inTurn(afterTheWork(503), { refuseEnrolled: true }),
		};
		const errors = errorsOf(
			await fixture.student('addManyToClass', {}, { items: rows(3), ...CONTINUE }),
		);
		expect(errors).toHaveLength(3);
		for (const [n, error] of errors.entries()) {
			expect(error).toContain(`${emailOf(n)} may or may not have been added (item ${n})`);
			expect(error).toContain(UNKNOWN);
		}
	});
});

describe('what is unknown stays unknown in the next try of Retry On Fail', () => {
	const twice: Partial<RunOptions> = { maxTries: 2 };

	test('Add Many: refused after it was added', async () => {
		fixture.service.temper = { ...inTurn(afterTheWork(502), { failWith: { status: 409 } }) };
		const options = { items: rows(2), ...twice, ...CONTINUE };
		const errors = errorsOf(await fixture.student('addManyToClass', {}, options));
		expect(fixture.service.requests.length).toBeGreaterThan(1);
		expect(errors).toHaveLength(2);
		for (const error of errors) expect(error).toContain('may or may not have been added');
	});

	test('Add Many stopped: the access token is refused after they were added', async () => {
		fixture.service.temper = { ...inTurn(afterTheWork(502), { failWith: { status: 401 } }) };
		const { error } = await fixture.student('addManyToClass', {}, { items: rows(2), ...twice });
		expect(fixture.service.requests).toHaveLength(2);
		expect(error?.message).toMatch(/before the run stopped; unknown: items 0-1\.$/);
	});

	test('a magic link: too many requests after the email went out', async () => {
		fixture.service.temper = { ...inTurn(afterTheWork(502), { failWith: { status: 429 } }) };
		const requestOptions = { maxRetries: 0 };
		const result = await fixture.student('sendMagicLink', { requestOptions }, twice);
		expect(fixture.service.requests).toHaveLength(2);
		expect(result.error?.message).toContain('Too many requests');
		expect(result.error?.description).toContain(UNKNOWN);
	});

	test('a try that succeeds settles it', async () => {
		fixture.service.temper = { ...inTurn(afterTheWork(502), {}) };
		const { error, items } = await fixture.student('sendMagicLink', {}, twice);
		expect(error).toBeUndefined();
		expect(items).toHaveLength(1);
	});
});

test('Stop Workflow with several in flight names those that are unknown', async () => {
	const { service } = fixture;
	let refuse = () => {};
	const refused = new Promise<void>((resolve) => (refuse = resolve));
	service.temper = {
		forRequest: (request) => {
			if (isFor(0)(request)) return { failWith: { status: 400 } };
			return isFor(1)(request) ? afterTheWork(500) : {};
		},
		// The first is refused while the others are in flight.
		onRequest: async (request) => {
			if (isFor(0)(request)) while (service.requests.length < 3) await new Promise(setImmediate);
			else await refused;
			if (isFor(0)(request)) setTimeout(refuse, 100);
		},
	};
	const { error } = await fixture.student('sendMagicLink', EMAIL_OF_ITEM, { items: rows(3) });
	expect(error?.context).toMatchObject({ itemIndex: 0 });
	expect(error?.description).toContain('Processed 1 of 3 items (2). Unknown whether processed: 1.');
});

describe.each([303, 408])('status %i after the work was done', (status) => {
	const headers: Record<string, string> =
		status === 303 ? { Location: 'https://example.com/done' } : {};

	test.each(WRITES)('$name is unknown, and not repeated', async (operation) => {
		fixture.service.temper = afterTheWork(status, headers);
		const result = await fixture.run(operation);
		expect(fixture.service.requests).toHaveLength(1);
		expect(textOf(result)).toContain(UNKNOWN);
		expect(textOf(result)).not.toContain('not added');
	});
});

test('reading is tried again after status 408', async () => {
	fixture.service.temper = { failWith: { status: 408, times: 1 } };
	const { error, items } = await fixture.classes();
	expect(error).toBeUndefined();
	expect(items).toHaveLength(2);
});

describe('a request without end', () => {
	let server: Server;
	let baseUrl: string;
	let received = 0;
	let respond: Parameters<typeof createServer>[1];
	beforeEach(async () => {
		received = 0;
		server = createServer((request, response) => {
			received++;
			respond!(request, response);
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
	});
	afterEach(() => {
		server.closeAllConnections();
		server.close();
	});

	test.each<[string, NonNullable<typeof respond>]>([
		[
			'drips',
			(_request, response) => {
				response.writeHead(200, { 'Content-Type': 'application/json' });
				const drip = setInterval(() => response.write(' '), 100);
				response.on('close', () => clearInterval(drip));
			},
		],
		[
			'switches protocols',
			(_request, response) =>
				void response.writeHead(101, { Upgrade: 'none', Connection: 'Upgrade' }).flushHeaders(),
		],
		[
			'says that plain text is compressed',
			(_request, response) =>
				void response.writeHead(200, { 'Content-Encoding': 'gzip' }).end('{}'),
		],
	])('ends with the Timeout where the service %s', async (_how, answer) => {
		respond = answer;
		const credential = { baseUrl, accessToken: 'test-access-token' };
		const requestOptions = { timeout: 1000 };
		const result = await fixture.student('sendMagicLink', { requestOptions }, { credential });
		expect(received).toBe(1);
		expect(textOf(result)).toContain(UNKNOWN);
	});
});

describe('one of two servers is down: every other answer is 503', () => {
	test.each([1, 3, 10])(
		'60 students are added with Max Retries %i',
		async (maxRetries) => {
			let count = 0;
			fixture.service.temper = {
				latencyMs: 20,
				forRequest: () => (count++ % 2 === 0 ? { failWith: { status: 503 } } : { latencyMs: 20 }),
			};
			const requestOptions = { maxRetries };
			const started = Date.now();
			const result = await fixture.student(
				'addToClass',
				{ ...EMAIL_OF_ITEM, requestOptions },
				{ items: rows(60), ...CONTINUE },
			);
			expect(errorsOf(result)).toEqual([]);
			expect(result.items).toHaveLength(60);
			// As promised; it takes a few seconds.
			expect(Date.now() - started).toBeLessThan(60_000);
		},
		120_000,
	);
});

test('one class that is always unavailable does not stop the others', async () => {
	const { service } = fixture;
	service.temper = {
		forRequest: ({ path }) => (path.includes(PYTHON.id) ? { failWith: { status: 503 } } : {}),
	};
	const items = rows(40).map((row, n) => ({ ...row, to: n < 20 ? PYTHON.id : RUST.id }));
	const classId = { __rl: true, mode: 'id', value: '={{ $json.to }}' };
	const parameters = { ...EMAIL_OF_ITEM, classId };
	const result = await fixture.student('addToClass', parameters, { items, ...CONTINUE });
	expect(jsonOf(result.items).map(({ email }) => email)).toEqual(
		indexes(20).map((n) => emailOf(n + 20)),
	);
	expect(errorsOf(result)).toHaveLength(20);
	expect(service.requests.some(({ method }) => method === 'GET')).toBe(true);
}, 120_000);

describe('a success status with an unclear body', () => {
	test.each(['[]', '"ok"', 'true', 'null', '{"error": "try again"}'])(
		'%s is no simple success of a write',
		async (text) => {
			fixture.service.temper = { answerText: { text, contentType: 'application/json' } };
			const result = await fixture.student('sendMagicLink');
			expect(result.items).toEqual([]);
			expect(result.error?.message).toContain('an unclear response (status 200)');
			expect(textOf(result)).toContain(UNKNOWN);
			if (text.includes('try')) expect(result.error?.message).toContain(': try again');
		},
	);

	test('an error body that is very deep does not hide the outcome', async () => {
		const deep = `{"message": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`;
		fixture.service.temper = { failWith: { status: 400, text: deep } };
		const { error } = await fixture.student('addToClass');
		expect(error?.message).toContain('The service rejected the request (status 400)');
	});
});

test('the link is valid for 24 hours from when it was requested', async () => {
	fixture.service.temper = {
		failWith: { status: 429, times: 1, headers: { 'Retry-After': '3' } },
	};
	const { items } = await fixture.student('sendMagicLink');
	const { receivedAt } = fixture.service.requests.at(-1)!;
	const validMs = Date.parse(String(items[0]!.json.expiresAt)) - receivedAt;
	expect(validMs).toBeLessThanOrEqual(24 * 3_600_000);
	expect(validMs).toBeGreaterThan(24 * 3_600_000 - 1000);
});

test('Stop Workflow sends no link that waited when another was refused', async () => {
	let count = 0;
	const headers = { 'Retry-After': '1' };
	fixture.service.temper = {
		forRequest: (request) => {
			// One request at a time, so that the others wait.
			if (count++ < 4) return { failWith: { status: 429, headers } };
			return isFor(0)(request) ? { failWith: { status: 400 } } : { latencyMs: 300 };
		},
	};
	const requestOptions = { maxConcurrentRequests: 4 };
	const parameters = { ...EMAIL_OF_ITEM, requestOptions };
	const { error } = await fixture.student('sendMagicLink', parameters, { items: rows(4) });
	expect(error?.message).toContain('(status 400)');
	expect(fixture.service.magicLinks).toEqual([]);
});

test('a request that was put off says nothing about the others', async () => {
	fixture.service.temper = {
		forRequest: (request) => (isFor(0)(request) ? {} : { failWith: { status: 429 } }),
	};
	const requestOptions = { maxConcurrentRequests: 1, maxRetries: 0 };
	const parameters = { ...EMAIL_OF_ITEM, requestOptions };
	const { error } = await fixture.student('sendMagicLink', parameters, { items: rows(3) });
	expect(error?.description).toContain('Processed 1 of 3 items (0).');
	expect(error?.description).not.toContain('Nothing was changed');
});

test('a balancer that fails every other request at random loses few of 300 students', async () => {
	let seed = 7;
	const random = () => (seed = (seed * 16_807) % 2_147_483_647) / 2_147_483_647;
	fixture.service.temper = {
		forRequest: () => (random() < 0.5 ? { failWith: { status: 503 } } : {}),
	};
	const { items } = await fixture.student('addToClass', EMAIL_OF_ITEM, {
		items: rows(300),
		...CONTINUE,
	});
	expect(items.length).toBeGreaterThanOrEqual(298);
}, 120_000);
