import type { INodeParameters } from 'n8n-workflow';
import type { RequestRecord } from '../service/service';
import type { RunResult } from './engine';
import {
	byId,
	emailOf,
	jsonOf,
	largeTest,
	linkOf,
	PYTHON,
	rows,
	RUST,
	useService,
} from './fixture';

const CONTINUE = ['continueRegularOutput', 'continueErrorOutput'] as const;
const REJECTED = 'The service rejected the request (status 400)';

const indexes = (count: number) => Array.from({ length: count }, (_, n) => n);
const isAdding = ({ method }: RequestRecord) => method === 'POST';
const contains = (n: number) => (request: RequestRecord) =>
	JSON.stringify(request.body ?? '').includes(`"${emailOf(n)}"`);

/** What became of each row, by its item: `added` and `failed` by the link of the output item. */
function outcomeOf({ items, errorItems }: RunResult) {
	const all = [...items, ...errorItems].map((item) => ({
		json: item.json,
		index: linkOf(item),
	}));
	const byIndex = all.sort((a, b) => a.index - b.index);
	return {
		added: byIndex.filter(({ json }) => json.success === true).map(({ index }) => index),
		failed: byIndex
			.filter(({ json }) => json.success !== true)
			.map(({ json, index }) => ({ index, error: String(json.error) })),
	};
}

describe('Add Many, when the service refuses rows', () => {
	const fixture = useService();
	const addMany = async (
		parameters: INodeParameters,
		options: Parameters<typeof fixture.student>[2] = {},
	) => await fixture.student('addManyToClass', parameters, options);
	const emailsIn = (classId: string) =>
		fixture.service.classes.studentsOf(classId).map(({ email }) => email);
	/** Every email in requests that the service accepted, as often as it came. */
	const accepted = () =>
		fixture.service.requests
			.filter((request) => isAdding(request) && request.status === 200)
			.flatMap(({ body }) => (body as { students: Array<{ email: string }> }).students)
			.map(({ email }) => email);

	beforeEach(() => {
		fixture.service.classes.remove([PYTHON.id, RUST.id], 'student@example.com');
	});

	describe.each(CONTINUE)('under %s', (onError) => {
		test.each([
			['scattered', (n: number) => (n * 37) % 100 < 27],
			['at the beginning', (n: number) => n < 27],
			['in the middle', (n: number) => n >= 30 && n < 57],
		])('of 100 rows with 27 bad ones %s all others get in', async (_where, isBad) => {
			const bad = indexes(100).filter(isBad);
			expect(bad).toHaveLength(27);
			fixture.service.temper = { rejectEmails: bad.map(emailOf) };
			const result = await addMany({}, { items: rows(100), onError });
			const { added, failed } = outcomeOf(result);
			const good = indexes(100).filter((n) => !bad.includes(n));
			expect(added).toEqual(good);
			expect(failed.map(({ index }) => index)).toEqual(bad);
			for (const { index, error } of failed) {
				const email = emailOf(index);
				const reason = `${REJECTED}: Email not accepted: ${email}.`;
				expect(error).toContain(`${email} was not added (item ${index}): ${reason}`);
			}
			expect(accepted().sort()).toEqual(good.map(emailOf).sort());
			expect(emailsIn(PYTHON.id)).toHaveLength(73);
		});

		test('three new students after 100 who are enrolled already get in', async () => {
			fixture.service.classes.enroll([PYTHON.id], rows(100));
			fixture.service.temper = { refuseEnrolled: true };
			const requestOptions = { maxConcurrentRequests: 1 };
			const result = await addMany({ requestOptions }, { items: rows(103), onError });
			const { added, failed } = outcomeOf(result);
			expect(added).toEqual([100, 101, 102]);
			expect(failed.map(({ index }) => index)).toEqual(indexes(100));
			for (const { index, error } of failed) {
				expect(error).toContain(`Already enrolled: ${emailOf(index)}.`);
			}
			expect(emailsIn(PYTHON.id)).toHaveLength(103);
		});

		test('three new students in one request with 97 who are enrolled already get in', async () => {
			fixture.service.classes.enroll([PYTHON.id], rows(97));
			fixture.service.temper = { refuseEnrolled: true };
			const result = await addMany({}, { items: rows(100), onError });
			expect(outcomeOf(result).added).toEqual([97, 98, 99]);
			expect(outcomeOf(result).failed).toHaveLength(97);
		});

		test('the output keeps the order of the input', async () => {
			fixture.service.temper = { rejectEmails: [2, 3, 8].map(emailOf) };
			const { items, errorItems } = await addMany({}, { items: rows(10), onError });
			const order = (output: RunResult['items']) => output.map(({ pairedItem }) => pairedItem);
			const link = (item: number) => ({ item });
			if (onError === 'continueRegularOutput') {
				expect(order(items)).toEqual(indexes(10).map(link));
				expect(errorItems).toEqual([]);
			} else {
				expect(order(items)).toEqual([0, 1, 4, 5, 6, 7, 9].map(link));
				expect(order(errorItems)).toEqual([2, 3, 8].map(link));
			}
		});

		largeTest(
			'a good row in each of ten batches gets in',
			async () => {
				const good = indexes(10).map((n) => n * 100 + n * 11);
				const bad = indexes(1000).filter((n) => !good.includes(n));
				fixture.service.temper = { rejectEmails: bad.map(emailOf) };
				const result = await addMany({}, { items: rows(1000), onError });
				expect(outcomeOf(result).added).toEqual(good);
				expect(outcomeOf(result).failed.map(({ index }) => index)).toEqual(bad);
				expect(fixture.service.requests.length).toBeLessThanOrEqual(1250);
			},
			60_000,
		);
	});

	const onError = 'continueErrorOutput';

	test('a request that is refused throughout takes few more requests than it has students', async () => {
		fixture.service.temper = { rejectEmails: rows(100).map(({ email }) => email) };
		const result = await addMany({}, { items: rows(100), onError });
		expect(outcomeOf(result).failed).toHaveLength(100);
		expect(fixture.service.requests.length).toBeLessThanOrEqual(120);
	});

	test('two bad rows in 200 take few requests', async () => {
		fixture.service.temper = { rejectEmails: [42, 177].map(emailOf) };
		const result = await addMany({}, { items: rows(200), onError });
		expect(outcomeOf(result).added).toHaveLength(198);
		expect(outcomeOf(result).failed.map(({ index }) => index)).toEqual([42, 177]);
		expect(fixture.service.requests.length).toBeLessThanOrEqual(40);
	});

	test.each([
		[1000, 400],
		[1000, 404],
	])(
		'%i students for a class that does not exist are each refused (status %i)',
		async (count, status) => {
			const body = { status: 'error', message: 'Class not found' };
			if (status !== 400) fixture.service.temper = { failWith: { status, body, only: isAdding } };
			const result = await addMany({ classId: byId('gone') }, { items: rows(count), onError });
			const { added, failed } = outcomeOf(result);
			expect(added).toEqual([]);
			expect(failed.map(({ index }) => index)).toEqual(indexes(count));
			const reasons = failed.filter(
				({ index, error }) =>
					error.startsWith(`${emailOf(index)} was not added (item ${index})`) &&
					error.includes('Class not found') &&
					error.includes('Most likely no class has this ID'),
			);
			expect(reasons).toHaveLength(count);
			expect(fixture.service.requests.length).toBeLessThanOrEqual(1.2 * count);
			expect(fixture.service.requests.every(isAdding)).toBe(true);
		},
	);

	test('good rows get in after many refusals, also where the class list does not show the class', async () => {
		fixture.allowViolations();
		const rejectEmails = indexes(40).map(emailOf);
		fixture.service.temper = {
			forRequest: (request) =>
				isAdding(request)
					? { rejectEmails }
					: { answerJson: { data: [{ id: 'another' }], totalRecords: 1 } },
		};
		const options = { batchSize: 1 };
		const result = await addMany({ options }, { items: rows(100), onError });
		expect(outcomeOf(result).added).toEqual(indexes(100).slice(40));
		expect(outcomeOf(result).failed.map(({ index }) => index)).toEqual(indexes(40));
	});

	test('a success status whose body says that it failed is divided, too', async () => {
		fixture.service.temper = {
			forRequest: (request) =>
				contains(17)(request)
					? { failWith: { status: 200, body: { status: 'error', message: 'Blocked student' } } }
					: {},
		};
		const result = await addMany({}, { items: rows(40), onError });
		expect(outcomeOf(result).added).toEqual(indexes(40).filter((n) => n !== 17));
		expect(outcomeOf(result).failed).toEqual([
			{ index: 17, error: expect.stringContaining('(status 200): Blocked student') },
		]);
	});

	test('one bad row of 100 takes 20 requests at most', async () => {
		for (const bad of [0, 42, 99]) {
			fixture.service.resetRecord();
			fixture.service.temper = { rejectEmails: [emailOf(bad)] };
			await addMany({}, { items: rows(100), onError });
			expect(fixture.service.requests.length).toBeLessThanOrEqual(20);
		}
	});

	test('a class that exists for some items only does not affect the others', async () => {
		const items = rows(300).map((row, n) => ({ ...row, to: n % 3 === 0 ? 'gone' : RUST.id }));
		const result = await addMany({ classId: byId('={{ $json.to }}') }, { items, onError });
		const { added, failed } = outcomeOf(result);
		expect(added).toEqual(indexes(300).filter((n) => n % 3 !== 0));
		expect(failed.map(({ index }) => index)).toEqual(indexes(300).filter((n) => n % 3 === 0));
		for (const { error } of failed) expect(error).toContain('Class not found: gone');
		expect(emailsIn(RUST.id)).toHaveLength(200);
	});

	test.each([400, 404, 409, 413, 422])('a request is divided after status %i', async (status) => {
		fixture.service.temper = { failWith: { status, only: contains(17) } };
		const result = await addMany({}, { items: rows(40), onError });
		const { added, failed } = outcomeOf(result);
		expect(added).toEqual(indexes(40).filter((n) => n !== 17));
		expect(failed.map(({ index }) => index)).toEqual([17]);
		expect(failed[0]!.error).toContain(`(status ${status})`);
		expect(emailsIn(PYTHON.id)).toHaveLength(39);
	});

	test.each([
		[401, 1],
		[403, 1],
		[500, 1],
		[429, 4],
		[503, 4],
	])('a request is not divided after status %i', async (status, requests) => {
		const headers = { 'Retry-After': '0' };
		fixture.service.temper = { failWith: { status, headers } };
		const result = await addMany({}, { items: rows(50), onError });
		const { added, failed } = outcomeOf(result);
		expect(added).toEqual([]);
		expect(failed.map(({ index }) => index)).toEqual(indexes(50));
		const outcome = status === 500 ? 'may or may not have been added' : 'was not added';
		for (const { index, error } of failed) {
			expect(error).toContain(`${emailOf(index)} ${outcome} (item ${index})`);
			expect(error).toContain(`(status ${status})`);
		}
		expect(fixture.service.requests).toHaveLength(requests);
		for (const { body } of fixture.service.requests) {
			expect((body as { students: unknown[] }).students).toHaveLength(50);
		}
	});

	test('without "continue on fail" nothing is divided, and the message says who was added', async () => {
		fixture.service.temper = { rejectEmails: [emailOf(25)] };
		const { error, items } = await addMany(
			{ options: { batchSize: 10 }, requestOptions: { maxConcurrentRequests: 1 } },
			{ items: rows(50) },
		);
		expect(items).toEqual([]);
		expect(fixture.service.requests).toHaveLength(3);
		expect(error?.message).toContain(`Email not accepted: ${emailOf(25)}`);
		expect(error?.message).toContain(
			'20 of 50 students were added before the run stopped; added: items 0-19; not added: items 20-49.',
		);
		expect(emailsIn(PYTHON.id)).toEqual(indexes(20).map(emailOf));
	});

	test('students of lists are divided like items, and named by their numbers', async () => {
		fixture.service.temper = { rejectEmails: [emailOf(3)] };
		const items = [{ students: rows(2) }, { students: rows(6).slice(2) }];
		const parameters = { studentsFrom: 'json', studentsJson: '={{ $json.students }}' };
		const result = await addMany(parameters, { items, onError });
		expect(jsonOf(result.items).map(({ email }) => email)).toEqual([0, 1, 2, 4, 5].map(emailOf));
		expect(outcomeOf(result).failed).toEqual([
			{
				index: 1,
				error: expect.stringContaining(`${emailOf(3)} was not added (student 2 of item 1)`),
			},
		]);
	});
});
