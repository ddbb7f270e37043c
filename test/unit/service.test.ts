import { startService, type Service, type Temper } from '../service/service';

// Only what would hide a fault of the node if the service got it wrong.

const student = { email: 'student-1@example.com' };
const other = { email: 'student-2@example.com' };
const addStudent = '/classe/a/add-student';

let service: Service;

beforeEach(async () => {
	service = await startService();
	for (const id of ['a', 'b', 'c']) service.classes.addClass({ id, name: `Class ${id}` });
});

afterEach(async () => await service.close());

interface Flagged {
	method: string;
	path: string;
	body: unknown;
}

async function call(
	method: string,
	path: string,
	body?: unknown,
	authorization = `Bearer ${service.accessToken}`,
) {
	const response = await fetch(service.baseUrl + path, {
		method,
		redirect: 'manual',
		headers: { 'content-type': 'application/json', authorization },
		body: body === undefined ? undefined : JSON.stringify(body),
	});
	const headers = Object.fromEntries(response.headers);
	return { status: response.status, headers, text: await response.text() };
}

const add = async () => await call('POST', addStudent, student);

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
		['a student in one of the classes', 'DELETE', '/classe/remove-student', fromOneOfTwo],
		['an administrator', 'POST', '/magic-link', { email: 'Admin@example.com' }],
	])('for %s changes nothing', async (_what, method, path, body) => {
		service.classes.enroll(['a'], [other]);
		expect((await call(method, path, body)).status).toBe(400);
		expect(service.classes.studentsOf('a')).toEqual([other]);
		expect(service.magicLinks).toEqual([]);
		expect(service.violations).toEqual([]);
	});
});

describe('a temper', () => {
	// Others fail the tests that use them if they do nothing.
	it.each<[Temper, number, string, enrolled: number, headers?: Record<string, string>]>([
		[{ rateLimit: { requestsPerSecond: 0 } }, 429, 'Too many', 0, { 'retry-after': '1' }],
		[{ rejectEmails: ['Student-1@example.com'], refusalStatus: 422 }, 422, '"error"', 0],
		[{ rejectEmails: [student.email], textErrors: true }, 400, 'Email not accepted', 0],
		[{ maxStudents: 0 }, 400, 'Too many', 0],
		[{ readOnlyS: 1 }, 503, 'Read-only', 0, { 'retry-after': '1' }],
	])('%j answers %i', async (temper, status, text, enrolled, headers = {}) => {
		service.temper = temper;
		const answer = await add();
		expect(answer.status).toBe(status);
		expect(answer.text).toContain(text);
		expect(answer.headers).toMatchObject(headers);
		expect(service.classes.studentsOf('a')).toHaveLength(enrolled);
		expect(service.violations).toEqual([]);
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
		const statuses = [await get(''), await get('?pageSize=2'), await get('?pageSize=1')];
		expect(statuses).toEqual([200, 200, 400]);
	});
});
