import { WAY } from './engine';
import { jsonOf, useService } from './fixture';

describe('Return All', () => {
	const fixture = useService();
	const ALL = { returnAll: true };
	const addClasses = (count: number) => {
		for (const { id } of fixture.service.classes.listClasses())
			fixture.service.classes.deleteClass(id);
		for (let n = 0; n < count; n++) {
			const number = String(n).padStart(4, '0');
			fixture.service.classes.addClass({ id: `class-${number}`, name: `Class ${number}` });
		}
	};
	const idsOf = (result: Awaited<ReturnType<typeof fixture.classes>>) =>
		jsonOf(result.items).map(({ id }) => id as string);
	const expectedIds = (count: number) =>
		Array.from({ length: count }, (_, n) => `class-${String(n).padStart(4, '0')}`);

	const tempers = [
		{},
		{ maxPageSize: 50 },
		{ maxPageSize: 7 },
		{ omitTotalRecords: true },
		{ omitTotalRecords: true, maxPageSize: 50 },
		{ overlapPages: 3 },
		{ overlapPages: 3, omitTotalRecords: true },
	].flatMap((temper) => [
		{ ...temper, firstPage: 1 as const },
		{ ...temper, firstPage: 0 as const },
	]);
	const counts = [0, 1, 99, 100, 101, 180, 200, 237];

	test.each(tempers.flatMap((temper) => counts.map((count) => [count, temper] as const)))(
		'%i classes, each once and in order: %j',
		async (count, temper) => {
			addClasses(count);
			fixture.service.temper = temper;
			const result = await fixture.classes(ALL);
			expect(result.error).toBeUndefined();
			expect(idsOf(result)).toEqual(expectedIds(count));
			const { maxPageSize = 100, overlapPages = 0, omitTotalRecords, firstPage } = temper;
			const pages = Math.max(1, Math.ceil(count / (maxPageSize - overlapPages)));
			// Without a total, and with page 0, some lists have to be read again.
			const most = omitTotalRecords && firstPage === 0 ? 2 * pages + 4 : pages + 4;
			expect(fixture.service.requests.length).toBeLessThanOrEqual(most);
		},
	);

	test.each([
		[237, {}, 4],
		[237, { firstPage: 0 as const }, 3],
		[137, { firstPage: 0 as const }, 2],
		[50, { firstPage: 0 as const }, 1],
		[237, { maxPageSize: 50 }, 6],
	])('%i classes take few requests: %j', async (count, temper, requests) => {
		addClasses(count);
		fixture.service.temper = temper;
		await fixture.classes(ALL);
		expect(fixture.service.requests).toHaveLength(requests);
	});

	test.each([
		[1, 1],
		[99, 1],
		[100, 1],
		[101, 3],
		[200, 3],
		[300, 4],
	])('%i classes take at most one request more than pages: %i', async (count, requests) => {
		addClasses(count);
		await fixture.classes(ALL);
		expect(fixture.service.requests).toHaveLength(requests);
	});

	test('the first request asks for no page number, and for 100 classes', async () => {
		await fixture.classes(ALL);
		expect(fixture.service.requests[0]!.query).toEqual({ pageSize: '100' });
	});

	test('a service that refuses page 0 counts from 1', async () => {
		addClasses(120);
		fixture.service.temper = {
			omitTotalRecords: true,
			failWith: { status: 400, only: ({ query }) => query.page === '0' },
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(expectedIds(120));
		const pages = fixture.service.requests.map(({ query }) => query.page);
		expect(new Set(pages).size).toBe(pages.length);
	});

	test.each([
		['counts from 1, and has no total', { omitTotalRecords: true }, '4', 5],
		['counts from 0', { firstPage: 0 as const }, '3', 3],
	])('a service that %s and refuses a page past the end', async (_how, temper, page, requests) => {
		for (const status of [400, 404]) {
			addClasses(239);
			fixture.service.resetRecord();
			fixture.service.temper = {
				...temper,
				failWith: { status, only: ({ query }) => query.page === page },
			};
			expect(idsOf(await fixture.classes(ALL))).toEqual(expectedIds(239));
			expect(fixture.service.requests).toHaveLength(requests);
		}
	});

	test('a service that has only its first page and knows no numbers', async () => {
		addClasses(5);
		fixture.service.temper = {
			firstPage: 0,
			failWith: { status: 404, only: ({ query }) => query.page !== undefined },
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(expectedIds(5));
	});

	test('a page that need not exist is also tried again', async () => {
		addClasses(5);
		fixture.service.temper = {
			maxPageSize: 3,
			omitTotalRecords: true,
			failWith: { status: 500, times: 1, only: ({ query }) => query.page === '2' },
		};
		const result = await fixture.classes({ ...ALL, requestOptions: { maxRetries: 1 } });
		expect(idsOf(result)).toEqual(expectedIds(5));
		const { requests } = fixture.service;
		const tries = requests.filter(({ query }) => query.page === '2');
		expect(tries.map(({ status }) => status)).toEqual([500, 200]);
		expect(tries[1]!.receivedAt - tries[0]!.receivedAt).toBeGreaterThan(200);
	});

	test('a service that reports many more classes than it returns, and fails for the rest, is an error', async () => {
		fixture.allowViolations();
		fixture.service.temper = {
			forRequest: ({ query }) => {
				const page = Number(query.page ?? 1);
				if (page < 1 || page > 3) return { failWith: { status: 500 } };
				const data = expectedIds(15).slice(5 * (page - 1), 5 * page);
				return { answerJson: { data: data.map((id) => ({ id })), totalRecords: 200 } };
			},
		};
		const requestOptions = { maxConcurrentRequests: 1, maxRetries: 0 };
		const result = await fixture.classes({ ...ALL, requestOptions });
		expect(result.items).toEqual([]);
		expect(result.error?.message).toContain('(status 500)');
	});

	test('a list that grows with every request is not read for ever', async () => {
		addClasses(150);
		fixture.service.temper = {
			onRequest: () => void fixture.service.classes.addClass({ name: 'Another' }),
		};
		const result = await fixture.classes(ALL);
		expect(idsOf(result)).toEqual(expect.arrayContaining(expectedIds(150)));
		expect(fixture.service.requests.length).toBeLessThanOrEqual(9);
	});

	test('a service that counts from 0 and rejects page 1, where there is only one page', async () => {
		addClasses(5);
		fixture.service.temper = {
			firstPage: 0,
			failWith: { status: 400, only: ({ query }) => query.page === '1' },
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(expectedIds(5));
	});

	test.each([50, 25, 10])('a service that rejects more than %i classes a page', async (most) => {
		addClasses(120);
		fixture.service.temper = {
			failWith: { status: 400, only: ({ query }) => Number(query.pageSize) > most },
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(expectedIds(120));
		const rejected = fixture.service.requests.filter(({ status }) => status === 400);
		expect(rejected.length).toBeLessThanOrEqual(8);
		expect(idsOf(await fixture.classes({ limit: 40 }))).toEqual(expectedIds(40));
	});

	test('where nothing is accepted, the error says what the service said first', async () => {
		fixture.service.temper = { failWith: { status: 400 } };
		const { error } = await fixture.classes(ALL);
		expect(error?.message).toContain('Told to fail with 400');
		expect(fixture.service.requests.length).toBeLessThanOrEqual(14);
	});

	test('a page in the middle that cannot be read is an error, not the end', async () => {
		addClasses(450);
		fixture.service.temper = { failWith: { status: 404, only: ({ query }) => query.page === '3' } };
		expect((await fixture.classes(ALL)).error?.message).toContain('status 404');
	});

	test('a service that breaks down while it is read is an error, not the end', async () => {
		addClasses(250);
		fixture.service.temper = {
			omitTotalRecords: true,
			onRequest: ({ query }) => {
				if (query.page === '2') fixture.service.temper.failWith = { status: 500 };
			},
		};
		const { error } = await fixture.classes({ ...ALL, requestOptions: { maxRetries: 0 } });
		expect(error?.message).toContain('status 500');
	});

	test('an empty response is not a list', async () => {
		fixture.allowViolations();
		fixture.service.temper = { answerEmpty: 200 };
		expect((await fixture.classes(ALL)).error?.message).toContain('contains no list of classes');
	});

	test('a hint says how many classes are missing', async () => {
		fixture.allowViolations();
		fixture.service.temper = { answerJson: { data: [{ id: 'a' }], totalRecords: 3 } };
		const { hints } = await fixture.classes(ALL);
		if (WAY === 'step')
			expect(hints).toEqual(['The service reports 3 classes but returned only 1.']);
		expect(fixture.service.requests.map(({ query }) => query.page)).toEqual([
			undefined,
			'1',
			'2',
			undefined,
		]);
		fixture.service.temper = {};
		expect((await fixture.classes(ALL)).hints).toEqual([]);
	});

	test.each([
		[400, 100, [100, 50, 25, 20, 10, 5, 1]],
		[422, 10, [10, 5, 1]],
		[404, 100, [100]],
	])(
		'a class list that is refused throughout: status %i, %i at a time',
		async (status, pageSize, sizes) => {
			fixture.service.temper = { failWith: { status } };
			const { error, items } = await fixture.classes({ ...ALL, options: { pageSize } });
			expect(items).toEqual([]);
			expect(error?.message).toContain(`(status ${status}): Told to fail`);
			const asked = fixture.service.requests.map(
				({ query }) => `${query.page} of ${query.pageSize}`,
			);
			expect(asked).toEqual(sizes.map((size) => `undefined of ${size}`));
		},
	);

	test.each([401, 403, 429])('no other page is asked for after status %i', async (status) => {
		fixture.service.temper = { failWith: { status } };
		const { error } = await fixture.classes({ ...ALL, requestOptions: { maxRetries: 0 } });
		expect(error?.message).toContain(`(status ${status})`);
		expect(fixture.service.requests).toHaveLength(1);
	});

	test('a page without a response is an error', async () => {
		addClasses(237);
		fixture.service.temper = {
			drop: { when: 'before', only: ({ query }) => query.page === '3' },
		};
		const result = await fixture.classes({ ...ALL, requestOptions: { maxRetries: 0 } });
		expect(result.items).toEqual([]);
		expect(result.error?.message).toContain('the connection was closed');
	});

	test.each(['2', '7'])('a refused page %s in the middle is an error', async (page) => {
		addClasses(237);
		fixture.service.temper = {
			failWith: { status: 400, only: ({ query }) => query.page === page },
		};
		const result = await fixture.classes({ ...ALL, options: { pageSize: 10 } });
		expect(result.items).toEqual([]);
		expect(result.error?.message).toContain('(status 400)');
	});

	test('a total given as text counts', async () => {
		const ids = expectedIds(200);
		fixture.service.temper.onRequest = ({ query }) => {
			const first = (Number(query.page ?? 1) - 1) * 100;
			const data = ids.slice(first, first + 100).map((id) => ({ id }));
			fixture.service.temper.answerJson = { data, totalRecords: '200' };
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(ids);
		expect(fixture.service.requests).toHaveLength(3);
	});

	test('a service that limits its pages, but counts them by the size that is asked for', async () => {
		const ids = expectedIds(237);
		fixture.service.temper.onRequest = ({ query }) => {
			const first = (Number(query.page ?? 1) - 1) * Number(query.pageSize);
			const last = first + Math.min(50, Number(query.pageSize));
			const data = first < 0 ? [] : ids.slice(first, last).map((id) => ({ id }));
			fixture.service.temper.answerJson = { data, totalRecords: ids.length };
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(ids);
	});

	test('another failure of a page is an error', async () => {
		addClasses(237);
		fixture.service.temper = { failWith: { status: 401, only: ({ query }) => query.page === '3' } };
		expect((await fixture.classes(ALL)).error?.message).toContain('status 401');
	});

	test('a class that goes while the pages are read does not take another one along', async () => {
		addClasses(300);
		let gone = false;
		fixture.service.temper = {
			onRequest: ({ query }) => {
				if (query.page === '2' && !gone) {
					fixture.service.classes.deleteClass('class-0000');
					fixture.service.classes.renameClass('class-0001', 'Renamed');
				}
				gone ||= query.page === '2';
			},
		};
		const result = await fixture.classes({
			...ALL,
			requestOptions: { maxConcurrentRequests: 1 },
		});
		// What was read again comes first, and as it is now.
		expect(idsOf(result)).toEqual([...expectedIds(300).slice(1), 'class-0000']);
		expect(result.items[0]!.json.name).toBe('Renamed');
	});

	test('a list that does not change is read once', async () => {
		addClasses(300);
		await fixture.classes({ ...ALL, requestOptions: { maxConcurrentRequests: 1 } });
		expect(fixture.service.requests.map(({ query }) => query.page)).toEqual([
			undefined,
			'1',
			'2',
			'3',
		]);
	});

	test('a class that comes while the pages are read doubles none', async () => {
		addClasses(250);
		let came = false;
		fixture.service.temper = {
			onRequest: ({ query }) => {
				if (query.page === '2' && !came)
					fixture.service.classes.addClass({ id: 'new', name: 'New' });
				came ||= query.page === '2';
			},
		};
		const ids = idsOf(await fixture.classes({ ...ALL, options: { sortBy: '-createdAt' } }));
		expect(ids).toEqual(expect.arrayContaining(expectedIds(250)));
		expect(new Set(ids).size).toBe(ids.length);
	});

	test('pages that say there is always more come to an end', async () => {
		fixture.allowViolations();
		fixture.service.temper = {
			answerJson: {
				data: [{ id: 'only', name: 'Only' }],
				totalRecords: 1_000_000_000,
			},
		};
		expect(idsOf(await fixture.classes(ALL))).toEqual(['only']);
		expect(fixture.service.requests.length).toBeLessThan(15);
	});

	test.each([
		[{ data: [{ name: 'No ID' }, { name: 'No ID' }], totalRecords: 2 }, 1],
		[{ data: [null, 'x', { id: 'a' }], totalRecords: 3 }, 1],
		[{ data: [{ id: 'a' }], totalRecords: 'nonsense' }, 1],
		[{ data: [{ id: 'a' }, { id: 'b' }], totalRecords: -1 }, 2],
		[{ data: [], totalRecords: 0 }, 0],
	])('strange answers: %j', async (answer, count) => {
		fixture.allowViolations();
		fixture.service.temper = { answerJson: answer };
		const result = await fixture.classes(ALL);
		expect(result.error).toBeUndefined();
		expect(result.items).toHaveLength(count);
	});

	test('pages are fetched at the same time', async () => {
		addClasses(100);
		fixture.service.temper = { latencyMs: 500 };
		await fixture.classes({ ...ALL, options: { pageSize: 5 } });
		expect(fixture.service.peakInFlight).toBe(10);
	});

	describe('Limit', () => {
		test.each([
			[50, {}, 1],
			[50, { firstPage: 0 as const }, 1],
			[100, { omitTotalRecords: true }, 1],
		])('%i of 237 take one request: %j', async (limit, temper, requests) => {
			addClasses(237);
			fixture.service.temper = temper;
			expect(idsOf(await fixture.classes({ limit }))).toEqual(expectedIds(limit));
			expect(fixture.service.requests).toHaveLength(requests);
		});

		test.each(tempers)('the first 150 of 237: %j', async (temper) => {
			addClasses(237);
			fixture.service.temper = temper;
			expect(idsOf(await fixture.classes({ limit: 150 }))).toEqual(expectedIds(150));
		});

		test('no page before the first is asked for, where there is enough', async () => {
			addClasses(237);
			fixture.service.temper = { maxPageSize: 7 };
			await fixture.classes({ limit: 150 });
			expect(fixture.service.requests.map(({ query }) => query.page)).not.toContain('0');
		});

		test.each(tempers)('more than there are: %j', async (temper) => {
			addClasses(30);
			fixture.service.temper = temper;
			expect(idsOf(await fixture.classes({ limit: 50 }))).toEqual(expectedIds(30));
		});

		test('exactly the page that is asked for', async () => {
			addClasses(30);
			const result = await fixture.classes({ options: { page: 2, pageSize: 8, sortBy: 'name' } });
			expect(idsOf(result)).toEqual(expectedIds(16).slice(8));
			expect(fixture.service.requests.map(({ query }) => query)).toEqual([
				{ page: '2', pageSize: '8', sortBy: 'name' },
			]);
		});

		test('no more of the page than the limit', async () => {
			addClasses(30);
			const result = await fixture.classes({ limit: 5, options: { page: 2, pageSize: 8 } });
			expect(idsOf(result)).toEqual(expectedIds(13).slice(8));
		});

		test('page 0 is a page', async () => {
			await fixture.classes({ options: { page: 0 } });
			expect(fixture.service.requests[0]!.query).toEqual({ page: '0', pageSize: '50' });
		});
	});

	test('a name filter and an order go to the service', async () => {
		addClasses(30);
		const result = await fixture.classes({
			filters: { query: ' s 002' },
			options: { sortBy: '-name' },
		});
		expect(idsOf(result)).toEqual(expectedIds(30).slice(20).reverse());
		expect(fixture.service.requests[0]!.query).toMatchObject({ query: 's 002', sortBy: '-name' });
	});

	test('every input item reads by itself and is linked to its classes', async () => {
		addClasses(3);
		const { items } = await fixture.classes(
			{ filters: { query: '={{ $json.q }}' } },
			{ items: [{ q: '0001' }, { q: '000' }] },
		);
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 1 },
			{ item: 1 },
		]);
	});
});
