import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { startService, type Class, type Service, type Temper } from '../service/service';

let service: Service;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => await service.close());

beforeEach(() => {
	service.temper = {};
	service.resetRecord();
	for (const { id } of service.classes.listClasses()) service.classes.deleteClass(id);
});

interface Answer {
	status: number;
	headers: Headers;
	text: string;
}

async function call(
	method: string,
	path: string,
	body?: unknown,
	headers: Record<string, string> = { authorization: `Bearer ${service.accessToken}` },
): Promise<Answer> {
	const response = await fetch(service.baseUrl + path, {
		method,
		redirect: 'manual',
		headers: { 'content-type': 'application/json', ...headers },
		body: typeof body === 'string' ? body : JSON.stringify(body),
	});
	return { status: response.status, headers: response.headers, text: await response.text() };
}

const student = { email: 'student-1@example.com' };
const list = async (query = '') => await call('GET', `/classe${query}`);
const addTo = async (id: string, body: unknown = student) =>
	await call('POST', `/classe/${encodeURIComponent(id)}/add-student`, body);

/** The ids on the page that a query brings. */
async function idsOn(query: string): Promise<string[]> {
	const { data } = JSON.parse((await list(query)).text) as { data: Class[] };
	return data.map(({ id }) => id);
}

function addClasses(...ids: string[]): void {
	for (const id of ids) service.classes.addClass({ id, name: `Class ${id}` });
}

describe('operations', () => {
	const expirationDate = '2027-01-31T03:00:00.000Z';

	it('adds and removes students, with count and time of change following', async () => {
		addClasses('a', 'b');
		service.classes.addClass({ id: 'old', name: 'Old', createdAt: '2020-01-01T00:00:00Z' });
		const many = { students: [student, { email: 'student-2@example.com', expirationDate }] };
		const several = { ...student, name: 'Student 1', classes: [{ id: 'a' }, { id: 'b' }] };

		expect(await addTo('old', { ...student, expirationDate })).toMatchObject({
			status: 200,
			text: '{}',
		});
		expect((await call('POST', '/classe/a/add-students', many)).text).toBe('{}');
		expect((await call('POST', '/classe/add-student', several)).text).toBe('{}');
		expect(service.classes.listClasses()).toMatchObject([
			{
				id: 'a',
				countStudents: 2,
				students: [{ ...student, name: 'Student 1' }, many.students[1]],
			},
			{ id: 'b', countStudents: 1 },
			{ id: 'old', countStudents: 1, students: [{ ...student, expirationDate }] },
		]);
		expect(service.classes.listClasses()[2]?.updatedAt).not.toMatch(/^2020/);

		const shouted = { email: student.email.toUpperCase() };
		expect((await call('DELETE', '/classe/old/remove-student', shouted)).text).toBe('{}');
		const fromSeveral = { ...student, classes: several.classes };
		expect((await call('DELETE', '/classe/remove-student', fromSeveral)).text).toBe('{}');
		expect(service.classes.listClasses().map((found) => found.countStudents)).toEqual([1, 0, 0]);
		expect(service.violations).toEqual([]);
	});

	it.each(['x/add-student', 'what?', 'ação 100%', 'a#b;c'])(
		'takes %j as a class id where it is percent-encoded',
		async (id) => {
			addClasses(id);
			expect((await addTo(id)).status).toBe(200);
			expect(service.classes.studentsOf(id)).toEqual([student]);
			expect(service.requests[0]?.path).toBe(`/classe/${encodeURIComponent(id)}/add-student`);
		},
	);

	it('refuses unknown classes and students, with nothing applied', async () => {
		addClasses('a');
		const toBoth = { ...student, classes: [{ id: 'a' }, { id: 'gone' }] };
		expect(await call('POST', '/classe/add-student', toBoth)).toMatchObject({
			status: 400,
			text: JSON.stringify({ status: 'error', message: 'Class not found: gone' }),
		});
		service.classes.enroll(['a'], [{ email: 'student-2@example.com' }]);
		const fromBoth = { email: 'student-2@example.com', classes: toBoth.classes };
		expect((await call('DELETE', '/classe/remove-student', fromBoth)).status).toBe(400);
		const removal = await call('DELETE', '/classe/a/remove-student', student);
		expect(removal.status).toBe(400);
		expect(removal.text).toContain('student-1@example.com not found');
		expect(service.classes.studentsOf('a')).toEqual([{ email: 'student-2@example.com' }]);
		expect(service.violations).toEqual([]);
	});

	it('lists by page, name and order', async () => {
		for (let index = 0; index < 12; index++) addClasses(String.fromCharCode(97 + index));
		service.classes.renameClass('c', 'Python for Beginners');
		expect(await idsOn('')).toHaveLength(10);
		expect(await idsOn('?page=2')).toEqual(['k', 'l']);
		expect(await idsOn('?page=2&pageSize=5&sortBy=-id')).toEqual(['g', 'f', 'e', 'd', 'c']);
		expect(JSON.parse((await list('?query=PYTHON')).text)).toMatchObject({
			data: [{ id: 'c', name: 'Python for Beginners' }],
			totalRecords: 1,
		});
		service.classes.touchClass('d', '2020-01-01T00:00:00.000Z');
		expect(await idsOn('?pageSize=1&sortBy=updatedAt')).toEqual(['d']);
		expect((await list('?sortBy=size')).status).toBe(400);
	});

	it('sends magic links, but none to administrative accounts', async () => {
		const link = { ...student, redirectUrl: 'https://example.com/course' };
		expect(await call('POST', '/magic-link', link)).toMatchObject({ status: 200, text: '{}' });
		expect((await call('POST', '/magic-link', { email: 'Admin@example.com' })).status).toBe(400);
		expect(service.magicLinks).toEqual([link]);
	});

	it.each<Record<string, string>>([
		{},
		{ authorization: 'Bearer wrong' },
		{ authorization: 'Basic dGVzdA==' },
	])('is closed to %j', async (headers) => {
		const answer = await call('GET', '/classe', undefined, headers);
		expect(answer.status).toBe(401);
		expect(JSON.parse(answer.text)).toEqual({ status: 'error', message: 'Unauthorized' });
	});

	it('takes large bodies', async () => {
		addClasses('a');
		const students = Array.from({ length: 20_000 }, (_, index) => ({
			name: 'n'.repeat(1000),
			email: `student-${index}@example.com`,
		}));
		expect((await call('POST', '/classe/a/add-students', { students })).status).toBe(200);
		expect(service.classes.listClasses()[0]?.countStudents).toBe(20_000);
	});
});

describe('contract', () => {
	const one = '/classe/a/add-student';
	const link = '/magic-link';
	it.each<[string, string, string, unknown, string]>([
		['a null', 'POST', one, { ...student, name: null }, 'name must be string'],
		['an empty name', 'POST', one, { ...student, name: '' }, 'fewer than 1'],
		['no e-mail', 'POST', one, {}, "required property 'email'"],
		['a blank before the e-mail', 'POST', one, { email: ` ${student.email}` }, 'email'],
		['no body', 'POST', one, undefined, 'body'],
		['what is no JSON', 'POST', one, '{"email":', 'JSON'],
		['a day', 'POST', one, { ...student, expirationDate: '2027-01-31' }, 'expirationDate'],
		[
			'no real day',
			'POST',
			one,
			{ ...student, expirationDate: '2027-02-30T00:00:00Z' },
			'date-time',
		],
		['an offset', 'POST', one, { ...student, expirationDate: '2027-01-31T00:00:00-03:00' }, 'Z$'],
		['no class', 'POST', '/classe/add-student', { ...student, classes: [] }, 'fewer than 1'],
		['ids as strings', 'POST', '/classe/add-student', { ...student, classes: ['a'] }, 'object'],
		['no students', 'POST', '/classe/a/add-students', { students: [] }, 'fewer than 1'],
		[
			'another scheme',
			'POST',
			link,
			{ ...student, redirectUrl: 'ftp://example.com' },
			'redirectUrl',
		],
		['an empty address', 'POST', link, { ...student, redirectUrl: '' }, 'redirectUrl'],
		['a page that is no number', 'GET', '/classe?page=one', undefined, 'page must be integer'],
		['an empty query', 'GET', '/classe?query=', undefined, "'query'"],
		['an unknown query', 'GET', '/classe?limit=5', undefined, "'limit'"],
	])('refuses and records %s', async (_what, method, path, body, message) => {
		addClasses('a');
		const answer = await call(method, path, body);
		expect(answer.status).toBe(400);
		expect(JSON.parse(answer.text)).toMatchObject({
			status: 'error',
			message: expect.stringContaining(message) as string,
		});
		expect(service.violations).toMatchObject([{ by: 'request', method }]);
		expect(service.classes.studentsOf('a')).toEqual([]);
	});

	const classes = [{ id: 'a' }];
	it.each<[string, string, object]>([
		['POST', one, student],
		['POST', '/classe/add-student', { ...student, classes }],
		['POST', '/classe/a/add-students', { students: [student] }],
		['DELETE', '/classe/a/remove-student', student],
		['DELETE', '/classe/remove-student', { ...student, classes }],
		['POST', link, student],
	])('refuses a stray field in %s %s', async (method, path, body) => {
		addClasses('a');
		service.classes.enroll(['a'], [student]);
		expect((await call(method, path, { ...body, stray: 1 })).text).toContain(
			'additional properties',
		);
		expect((await call(method, path, body)).status).toBe(200);
	});

	it.each(['/classes', '/classe//add-student', '/classe/a/b/add-student', '/../login'])(
		'does not know %s',
		async (path) => {
			expect((await call('POST', path, student)).status).toBe(404);
			expect(service.violations).toHaveLength(1);
		},
	);

	it('does not let a wrong answer out', async () => {
		service.classes.addClass({ name: 'Python for Beginners', createdAt: 'yesterday' });
		expect((await list()).status).toBe(500);
		expect(service.violations).toMatchObject([{ by: 'answer', method: 'GET', path: '/classe' }]);
	});
});

describe('record', () => {
	it('keeps what came, in order', async () => {
		addClasses('a b');
		await addTo('a b');
		await list('?query=C%2B%2B&page=1');
		const [first, second] = service.requests;
		expect(first).toMatchObject({
			method: 'POST',
			path: '/classe/a%20b/add-student',
			headers: { authorization: 'Bearer test-access-token' },
			body: student,
			status: 200,
		});
		expect(second).toMatchObject({ path: '/classe', query: { query: 'C++', page: '1' } });
		const { receivedAt = NaN, startedAt = NaN, finishedAt = NaN } = first ?? {};
		expect(receivedAt <= startedAt && startedAt <= finishedAt).toBe(true);
		expect(Math.abs(Date.now() - receivedAt)).toBeLessThan(5000);

		service.resetRecord();
		expect(service).toMatchObject({ requests: [], peakInFlight: 0, connections: 0 });
	});

	it('counts the requests in flight and the connections', async () => {
		service.temper = { latencyMs: 50 };
		await Promise.all([list(), list(), list()]);
		await list();
		expect(service.peakInFlight).toBe(3);

		service.resetRecord();
		for (let count = 0; count < 2; count++) {
			const request = get(`${service.baseUrl}/classe`, { agent: false });
			const [response] = (await once(request, 'response')) as [IncomingMessage];
			await once(response.resume(), 'end');
		}
		expect(service).toMatchObject({ connections: 2, peakInFlight: 1 });
	});
});

describe('temper', () => {
	it('delays', async () => {
		service.temper.latencyMs = 60;
		await list();
		const { startedAt = NaN, finishedAt = NaN } = service.requests[0] ?? {};
		expect(finishedAt - startedAt).toBeGreaterThanOrEqual(55);
	});

	it('counts pages from 0, caps them, and leaves the total out', async () => {
		addClasses('a', 'b', 'c');
		service.temper = { firstPage: 0, maxPageSize: 2, omitTotalRecords: true };
		expect(await idsOn('?pageSize=100')).toEqual(['a', 'b']);
		expect(await idsOn('?page=1&pageSize=100')).toEqual(['c']);
		expect(JSON.parse((await list()).text)).not.toHaveProperty('totalRecords');
		service.temper = {};
		expect(await idsOn('?page=0')).toEqual([]);
		expect(service.violations).toEqual([]);
	});

	it('repeats classes across pages', async () => {
		addClasses('a', 'b', 'c', 'd', 'e');
		service.temper = { overlapPages: 1 };
		const pages = [1, 2, 3].map(async (page) => await idsOn(`?page=${page}&pageSize=3`));
		expect(await Promise.all(pages)).toEqual([['a', 'b', 'c'], ['c', 'd', 'e'], ['e']]);
	});

	it('lets a hook change the classes between pages', async () => {
		addClasses('a', 'b', 'c');
		service.temper.onRequest = ({ query }) => {
			if (query.page === '2') service.classes.deleteClass('a');
		};
		expect(await idsOn('?page=1&pageSize=2')).toEqual(['a', 'b']);
		expect(await idsOn('?page=2&pageSize=2')).toEqual([]);
	});

	it.each(['seconds', 'date'] as const)(
		'limits the rate, Retry-After in %s',
		async (retryAfter) => {
			service.temper.rateLimit = { requestsPerSecond: 2, retryAfter };
			expect((await list()).status).toBe(200);
			expect((await list()).status).toBe(200);
			const { status, headers } = await list();
			const after = headers.get('retry-after') ?? '';
			const wait = retryAfter === 'seconds' ? Number(after) * 1000 : Date.parse(after) - Date.now();
			expect(status).toBe(429);
			expect(wait).toBeGreaterThan(900);
			expect(wait).toBeLessThanOrEqual(2000);
			await new Promise((resolve) => setTimeout(resolve, 1010));
			expect((await list()).status).toBe(200);
			expect(service.violations).toEqual([]);
		},
	);

	it('fails the requests it is told to, so many times', async () => {
		addClasses('a');
		service.temper.failWith = {
			status: 503,
			headers: { 'Retry-After': '7' },
			times: 1,
			only: ({ method }) => method === 'POST',
		};
		expect((await list()).status).toBe(200);
		const failed = await addTo('a');
		expect(failed).toMatchObject({ status: 503, text: expect.stringContaining('503') as string });
		expect(failed.headers.get('retry-after')).toBe('7');
		expect(service.classes.studentsOf('a')).toEqual([]);
		expect((await addTo('a')).status).toBe(200);
	});

	it.each([
		[{ body: { error: 'Gone' } }, '{"error":"Gone"}', 'application/json'],
		[{ text: 'Bad gateway' }, 'Bad gateway', 'text/plain'],
		[{ text: '<p>', headers: { 'Content-Type': 'text/html' } }, '<p>', 'text/html'],
	])('fails with %j', async (failure, text, contentType) => {
		service.temper.failWith = { status: 502, ...failure };
		const answer = await list();
		expect(answer).toMatchObject({ status: 502, text });
		expect(answer.headers.get('content-type')).toContain(contentType);
	});

	it.each([
		['before', []],
		['after', [student]],
	] as const)('drops connections %s the effect', async (when, students) => {
		addClasses('a');
		service.temper.drop = { when, times: 1 };
		await expect(addTo('a')).rejects.toThrow('fetch failed');
		expect(service.classes.studentsOf('a')).toEqual(students);
		expect(service.requests[0]?.status).toBeUndefined();
		expect((await addTo('a')).status).toBe(200);
	});

	const location = 'https://example.com/v2';
	it.each<[string, Temper, number, string, unknown[]]>([
		['a login page', { answerHtml: true }, 200, '<h1>Sign in</h1>', []],
		['a redirect', { redirectTo: { location, status: 308 } }, 308, '', []],
		['no body', { answerEmpty: 204 }, 204, '', [student]],
		['an empty body', { answerEmpty: 200 }, 200, '', [student]],
		['a text', { answerText: { text: 'OK', contentType: 'text/plain' } }, 200, 'OK', [student]],
		['more fields', { extraAnswerFields: { requestId: 7 } }, 200, '{"requestId":7}', [student]],
		['a refusal', { rejectEmails: ['Student-1@example.com'] }, 400, student.email, []],
	])('answers with %s', async (_what, temper, status, text, students) => {
		addClasses('a');
		service.temper = temper;
		const answer = await addTo('a');
		expect(answer.status).toBe(status);
		expect(answer.text).toContain(text);
		expect(answer.headers.get('location')).toBe(temper.redirectTo?.location ?? null);
		expect(service.classes.studentsOf('a')).toEqual(students);
		expect(service.violations).toEqual([]);
	});

	it('refuses the whole of a request that has a rejected e-mail', async () => {
		addClasses('a');
		service.temper.rejectEmails = ['student-2@example.com'];
		const students = [student, { email: 'student-2@example.com' }];
		expect((await call('POST', '/classe/a/add-students', { students })).status).toBe(400);
		expect(service.classes.studentsOf('a')).toEqual([]);
	});

	it('holds an answer back after the effect, until it is closed', async () => {
		const other = await startService({ accessToken: service.accessToken });
		other.classes.addClass({ id: 'a', name: 'Python for Beginners' });
		other.temper.stallMs = Infinity;
		const pending = fetch(`${other.baseUrl}/classe/a/add-student`, {
			method: 'POST',
			headers: {
				authorization: `Bearer ${other.accessToken}`,
				'content-type': 'application/json',
			},
			body: JSON.stringify(student),
		});
		const waited = new Promise((resolve) => setTimeout(resolve, 150, 'still waiting'));
		const outcome = await Promise.race([pending, waited]);
		await other.close();
		await expect(pending).rejects.toThrow('fetch failed');
		expect(outcome).toBe('still waiting');
		expect(other.classes.studentsOf('a')).toEqual([student]);
	});
});

it('does not start on a port that is taken', async () => {
	const port = Number(new URL(service.baseUrl).port);
	await expect(startService({ port })).rejects.toMatchObject({ code: 'EADDRINUSE' });
});
