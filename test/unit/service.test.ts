import { setTimeout as sleep } from 'node:timers/promises';
import { startService, type Class, type Service, type Temper } from '../service/service';

// Only what would hide a fault of the node if the service got it wrong.

const student = { email: 'student-1@example.com' };
const other = { email: 'student-2@example.com' };
const addStudent = '/classe/a/add-student';

let service: Service;

beforeAll(async () => {
	service = await startService();
});

afterAll(async () => await service.close());

beforeEach(() => {
	service.temper = {};
	service.resetRecord();
	service.classes.listClasses().forEach(({ id }) => service.classes.deleteClass(id));
	['a', 'b', 'c'].forEach((id) => service.classes.addClass({ id, name: `Class ${id}` }));
});

interface Flagged {
	method: string;
	path: string;
	body: unknown;
}

interface Answer {
	status: number;
	headers: Headers;
	text: string;
}

async function call(
	method: string,
	path: string,
	body?: unknown,
	authorization = `Bearer ${service.accessToken}`,
): Promise<Answer> {
	const response = await fetch(service.baseUrl + path, {
		method,
		redirect: 'manual',
		headers: { 'content-type': 'application/json', authorization },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	return { status: response.status, headers: response.headers, text: await response.text() };
}

const add = async () => await call('POST', addStudent, student);

/** The IDs on the page that a query asks for. */
async function idsOn(query: string): Promise<string[]> {
	const { text } = await call('GET', `/classe?${query}`);
	return (JSON.parse(text) as { data: Class[] }).data.map(({ id }) => id);
}

describe('the contract', () => {
	it.each`
		what                            | method      | path                          | body
		${'a null'}                     | ${'POST'}   | ${addStudent}                 | ${{ ...student, name: null }}
		${'an empty name'}              | ${'POST'}   | ${addStudent}                 | ${{ ...student, name: '' }}
		${'no email'}                   | ${'POST'}   | ${addStudent}                 | ${{}}
		${'a space in the email'}       | ${'POST'}   | ${addStudent}                 | ${{ email: ' student-1@example.com' }}
		${'no body'}                    | ${'POST'}   | ${addStudent}                 | ${undefined}
		${'a date without a time'}      | ${'POST'}   | ${addStudent}                 | ${{ ...student, expirationDate: '2027-01-31' }}
		${'a date that does not exist'} | ${'POST'}   | ${addStudent}                 | ${{ ...student, expirationDate: '2027-02-30T00:00:00Z' }}
		${'a date that is not in UTC'}  | ${'POST'}   | ${addStudent}                 | ${{ ...student, expirationDate: '2027-01-31T00:00:00-03:00' }}
		${'an unknown field'}           | ${'POST'}   | ${addStudent}                 | ${{ ...student, extra: 1 }}
		${'no classes'}                 | ${'POST'}   | ${'/classe/add-student'}      | ${{ ...student, classes: [] }}
		${'IDs as strings'}             | ${'POST'}   | ${'/classe/add-student'}      | ${{ ...student, classes: ['a'] }}
		${'no students'}                | ${'POST'}   | ${'/classe/a/add-students'}   | ${{ students: [] }}
		${'an unknown field'}           | ${'DELETE'} | ${'/classe/a/remove-student'} | ${{ ...student, extra: 1 }}
		${'an empty address'}           | ${'POST'}   | ${'/magic-link'}              | ${{ ...student, redirectUrl: '' }}
		${'an empty query'}             | ${'GET'}    | ${'/classe?query='}           | ${undefined}
		${'an unknown query'}           | ${'GET'}    | ${'/classe?limit=5'}          | ${undefined}
		${'an unknown path'}            | ${'POST'}   | ${'/classes'}                 | ${student}
	`('flags $what in $method $path', async ({ method, path, body }: Flagged) => {
		service.classes.enroll(['a'], [other]);
		expect((await call(method, path, body)).status).toBe(path === '/classes' ? 404 : 400);
		expect(service.violations).toMatchObject([{ by: 'request', method }]);
		expect(service.classes.studentsOf('a')).toEqual([other]);
	});

	it('flags an answer that breaks it', async () => {
		service.classes.addClass({ name: 'Class d', createdAt: 'yesterday' });
		expect((await call('GET', '/classe')).status).toBe(500);
		expect(service.violations).toMatchObject([{ by: 'answer', path: '/classe' }]);
	});

	it('lets in only the access token', async () => {
		expect((await call('POST', addStudent, student, 'Bearer wrong')).status).toBe(401);
		expect(service.classes.studentsOf('a')).toEqual([]);
	});
});

describe('a request that cannot be carried out', () => {
	const toUnknown = { ...student, classes: [{ id: 'a' }, { id: 'unknown' }] };
	const fromOneOfTwo = { ...other, classes: [{ id: 'a' }, { id: 'b' }] };

	it.each<[string, string, string, object]>([
		['an unknown class', 'POST', '/classe/add-student', toUnknown],
		[
			'a student who is in only one of the classes',
			'DELETE',
			'/classe/remove-student',
			fromOneOfTwo,
		],
		['an administrator', 'POST', '/magic-link', { email: 'Admin@example.com' }],
	])('for %s changes nothing', async (_what, method, path, body) => {
		service.classes.enroll(['a'], [other]);
		expect((await call(method, path, body)).status).toBe(400);
		expect(service.classes.studentsOf('a')).toEqual([other]);
		expect(service.magicLinks).toEqual([]);
		expect(service.violations).toEqual([]);
	});
});

test('a student is known from the first enrollment on, by the address in any case', () => {
	const { classes } = service;
	const first = { email: 'new@example.com', name: 'First' };
	for (const name of ['First', 'Second']) classes.enroll(['a'], [{ ...first, name }]);
	expect(classes.findStudent('New@example.com')).toMatchObject(first);
	expect(() => classes.findStudent('nobody@example.com')).toThrow('Student not found');
});

describe('a temper', () => {
	const location = 'https://example.com/v2';
	it.each<[Temper, number, string, number]>([
		[{ failWith: { status: 503, headers: { 'Retry-After': '7' } } }, 503, 'Told to fail', 0],
		[{ failWith: { status: 502, text: 'Bad gateway' } }, 502, 'Bad gateway', 0],
		[{ failWith: { status: 502, body: { error: 'Gone' } } }, 502, '{"error":"Gone"}', 0],
		[{ rateLimit: { requestsPerSecond: 0, retryAfter: 'seconds' } }, 429, 'Too many', 0],
		[{ redirectTo: { location, status: 308 } }, 308, '', 0],
		[{ answerHtml: true }, 200, '<h1>Sign in</h1>', 0],
		[{ rejectEmails: ['Student-1@example.com'] }, 400, student.email, 0],
		[{ rejectEmails: [student.email], refusalStatus: 422 }, 422, `{"status":"error"`, 0],
		[{ rejectEmails: [student.email], textErrors: true }, 400, 'Email not accepted', 0],
		[{ maxStudents: 0 }, 400, 'Too many', 0],
		[{ deniedClass: 'a' }, 401, 'Unauthorized', 0],
		[{ deniedClass: 'b' }, 200, '{}', 1],
		[{ readOnlyS: 1 }, 503, 'Read-only', 0],
		[{ answerEmpty: 204 }, 204, '', 1],
		[{ answerText: { text: 'OK', contentType: 'text/plain' } }, 200, 'OK', 1],
		[{ extraAnswerFields: { requestId: 7 } }, 200, '{"requestId":7}', 1],
	])('%j answers %i', async (temper, status, text, enrolled) => {
		service.temper = temper;
		const answer = await add();
		expect(answer.status).toBe(status);
		expect(answer.text).toContain(text);
		expect(answer.headers.get('location')).toBe(temper.redirectTo?.location ?? null);
		expect(answer.headers.get('retry-after')).toBe(
			temper.failWith?.headers?.['Retry-After'] ??
				(temper.rateLimit || temper.readOnlyS ? '1' : null),
		);
		expect(service.classes.studentsOf('a')).toHaveLength(enrolled);
		expect(service.violations).toEqual([]);
	});

	it.each([
		['before', 0],
		['after', 1],
	] as const)('drops the connection %s the effect', async (when, enrolled) => {
		service.temper = { drop: { when, times: 1 } };
		await expect(add()).rejects.toThrow('fetch failed');
		expect(service.classes.studentsOf('a')).toHaveLength(enrolled);
		expect((await add()).status).toBe(200);
	});

	it('is for the requests that it names, as often as it says', async () => {
		const only = ({ method }: { method: string }) => method === 'POST';
		service.temper = { failWith: { status: 500, times: 1, only } };
		const statuses = [(await call('GET', '/classe')).status];
		for (let count = 0; count < 2; count++) statuses.push((await add()).status);
		expect(statuses).toEqual([200, 500, 200]);
	});

	it.each<[Temper, object[]]>([
		[{}, []],
		[{ isOneByOne: true }, [student]],
	])('%j keeps what came before a refusal, or nothing', async (temper, kept) => {
		service.temper = { ...temper, rejectEmails: [other.email] };
		const body = { students: [student, other] };
		expect((await call('POST', '/classe/a/add-students', body)).status).toBe(400);
		expect(service.classes.studentsOf('a')).toEqual(kept);
		const fromBoth = { ...student, classes: [{ id: 'a' }, { id: 'b' }] };
		expect((await call('DELETE', '/classe/remove-student', fromBoth)).status).toBe(400);
		expect(service.classes.studentsOf('a')).toEqual([]);
	});

	it('is read-only, but has a class list, whose pages may not be small', async () => {
		service.temper = { readOnlyS: 1, minPageSize: 2 };
		const get = async (query: string) => (await call('GET', `/classe${query}`)).status;
		expect([await get(''), await get('?pageSize=2'), await get('?pageSize=1')]).toEqual([
			200, 200, 400,
		]);
	});

	it('lets through what the rate limit allows', async () => {
		service.temper = { rateLimit: { requestsPerSecond: 2, retryAfter: 'date' } };
		const answers = [await add(), await add(), await add()];
		expect(answers.map(({ status }) => status)).toEqual([200, 200, 429]);
		const waitMs = Date.parse(answers[2]?.headers.get('retry-after') ?? '') - Date.now();
		expect(waitMs).toBeGreaterThan(900);
		expect(waitMs).toBeLessThanOrEqual(2000);
	});

	it('counts requests in a window of its own', async () => {
		const rateLimit = { requestsPerSecond: 1, windowMs: 1300, retryAfter: 'seconds' as const };
		service.temper = { rateLimit };
		const statuses = [(await add()).status];
		await sleep(1050);
		statuses.push((await add()).status);
		await sleep(350);
		statuses.push((await add()).status);
		expect(statuses).toEqual([200, 429, 200]);
	});

	it('refuses who is already in a class', async () => {
		service.temper = { refuseEnrolled: true };
		expect((await add()).status).toBe(200);
		expect((await add()).text).toContain(`Already enrolled: ${student.email}`);
		const many = { students: [other, student] };
		expect((await call('POST', '/classe/a/add-students', many)).status).toBe(400);
		expect(service.classes.studentsOf('a')).toHaveLength(1);
	});

	it.each<[Temper, string[][]]>([
		[{}, [[], ['a', 'b'], ['c']]],
		[{ firstPage: 0 }, [['a', 'b'], ['c'], []]],
		[{ overlapPages: 1 }, [[], ['a', 'b'], ['b', 'c']]],
		[{ maxPageSize: 1 }, [[], ['a'], ['b']]],
	])('%j has its own pages', async (temper, expected) => {
		service.temper = temper;
		const pages = [0, 1, 2].map(async (page) => await idsOn(`page=${page}&pageSize=2`));
		expect(await Promise.all(pages)).toEqual(expected);
	});
});
