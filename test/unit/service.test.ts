import { startService, type Service } from '../service/service';

// Only what would hide a bug of the node if the stand-in got it wrong. Tempers fail the tests that use them.

const student = { email: 'student-1@example.com' };
const other = { email: 'student-2@example.com' };
const ADD = '/classe/a/add-student';

let service: Service;

beforeEach(async () => {
	service = await startService();
	for (const id of ['a', 'b']) service.classes.addClass({ id, name: `Class ${id}` });
	service.classes.enroll(['a'], [other]);
});

afterEach(async () => await service.close());

async function statusOf(method: string, path: string, body?: object, token = service.accessToken) {
	const headers = { 'content-type': 'application/json', authorization: `Bearer ${token}` };
	const request = { method, headers, body: JSON.stringify(body) };
	return (await fetch(service.baseUrl + path, request)).status;
}

test.each<[what: string, method: string, path: string, body?: object]>([
	['an empty name', 'POST', ADD, { ...student, name: '' }],
	['a space in the email', 'POST', ADD, { email: ' student-1@example.com' }],
	['no body', 'POST', ADD],
	['a date without a time', 'POST', ADD, { ...student, expirationDate: '2027-01-31' }],
	['no such day', 'POST', ADD, { ...student, expirationDate: '2027-02-30T00:00:00Z' }],
	['an unknown field', 'POST', ADD, { ...student, extra: 1 }],
	['no students', 'POST', '/classe/a/add-students', { students: [] }],
	['an unknown query', 'GET', '/classe?limit=5'],
	['an unknown path', 'POST', '/classes', student],
])('%s breaks the contract', async (...row) => {
	const [, method, path, body] = row;
	expect(await statusOf(method, path, body)).toBe(path === '/classes' ? 404 : 400);
	expect(service.violations).toMatchObject([{ by: 'request', method }]);
	expect(service.classes.studentsOf('a')).toEqual([other]);
});

test('only the access token is let in', async () => {
	expect(await statusOf('POST', ADD, student, 'wrong')).toBe(401);
	expect(service.classes.studentsOf('a')).toEqual([other]);
});

test('a response that breaks the contract is noted', async () => {
	service.classes.addClass({ name: 'Class c', createdAt: 'yesterday' });
	expect(await statusOf('GET', '/classe')).toBe(500);
	expect(service.violations).toMatchObject([{ by: 'answer', path: '/classe' }]);
});

test.each([false, true])('before a refusal, something is done, if one by one: %s', async (some) => {
	service.temper = { isOneByOne: some, rejectEmails: [other.email] };
	const students = [student, other];
	expect(await statusOf('POST', '/classe/b/add-students', { students })).toBe(400);
	expect(service.classes.studentsOf('b')).toEqual(some ? [student] : []);
	const classes = [{ id: 'b' }, { id: 'unknown' }];
	service.classes.enroll(['b'], [student]);
	expect(await statusOf('DELETE', '/classe/remove-student', { ...student, classes })).toBe(400);
	expect(service.classes.studentsOf('b')).toEqual(some ? [] : [student]);
	expect(service.violations).toEqual([]);
});
