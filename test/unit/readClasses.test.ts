import fc from 'fast-check';
import { createPageReader } from '../../nodes/ClassEnrollment/classes/classPages';
import { readClasses } from '../../nodes/ClassEnrollment/classes/readClasses';
import type { ServiceRequest } from '../../nodes/ClassEnrollment/transport/request';
import { ServiceError } from '../../nodes/ClassEnrollment/transport/serviceError';
import { testProperty } from '../property';

/** How a service lists its classes. */
interface Traits {
	classes: number;
	firstPage: 0 | 1;
	/** It returns at most so many classes. */
	pageLimit: number;
	/** It rejects a request for more. */
	mostPageSize: number;
	/** It rejects a request for fewer. */
	leastPageSize: number;
	/** It skips the earlier pages by the size that was requested, not by that of its pages. */
	skipsRequestedSize: boolean;
	/** Otherwise, each page repeats so many classes of the one before it. */
	overlap: number;
	/** By how much the total is too high, -Infinity if it is always 0; undefined if there is no total. */
	totalOff?: number;
	/** The total on a page that does not exist, if it is another one there. */
	totalPastTheEnd?: number | null;
	/** The status for a page that does not exist; 200 returns an empty one. */
	missingPage: number;
}

/** A class that comes or goes while the list is read. */
interface Change {
	kind: 'comes' | 'goes';
	/** Its place in the list. */
	place: number;
	/** The request before which it happens. */
	request: number;
}

const anyTraits = fc.record<Traits>({
	classes: fc.integer({ min: 0, max: 260 }),
	firstPage: fc.constantFrom(1, 0),
	pageLimit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 2, max: 120 })),
	mostPageSize: fc.constantFrom(Infinity, 50, 25, 10),
	leastPageSize: fc.constantFrom(0, 0, 5, 10),
	skipsRequestedSize: fc.boolean(),
	totalOff: fc.option(fc.constantFrom(0, 0, 1, 7, -1, -7, -60, -Infinity), { nil: undefined }),
	totalPastTheEnd: fc.constantFrom(undefined, undefined, 0, null),
	overlap: fc.constantFrom(0, 0, 1, 3),
	missingPage: fc.constantFrom(200, 400, 404, 422),
});

// With both at once, neither the pages nor the total tell what is missing.
const traits = anyTraits.filter(
	({ skipsRequestedSize, totalOff = 0, pageLimit, leastPageSize }) =>
		pageLimit >= leastPageSize && (!skipsRequestedSize || totalOff >= 0 || totalOff === -Infinity),
);

const change = fc.record<Change>({
	kind: fc.constantFrom('comes', 'goes'),
	place: fc.nat(260),
	request: fc.integer({ min: 2, max: 12 }),
});

const fail = (status: number): never => {
	throw new ServiceError({ message: `Status ${status}`, advice: '', fate: 'rejected', status });
};

const idsUpTo = (count: number) => Array.from({ length: count }, (_, n) => `class-${n}`);

/** A service with these traits. */
function createService(service: Traits, change?: Change) {
	const ids = idsUpTo(service.classes);
	let requests = 0;

	const send = async ({ query }: ServiceRequest): Promise<unknown> => {
		requests++;
		if (requests === change?.request) {
			if (change.kind === 'comes') ids.splice(change.place, 0, 'new');
			else ids.splice(change.place, 1);
		}
		const asked = Number(query!.pageSize);
		if (asked > service.mostPageSize || asked < service.leastPageSize) fail(400);
		const size = Math.min(asked, service.pageLimit);
		const index = Number(query!.page ?? service.firstPage) - service.firstPage;
		const step = Math.max(1, size - service.overlap);
		const first = index * (service.skipsRequestedSize ? asked : step);
		const exists = index === 0 || (index > 0 && first < ids.length);
		if (!exists && service.missingPage !== 200) fail(service.missingPage);
		const page = exists ? ids.slice(first, first + size) : [];
		const data = page.map((id) => ({ id }));
		if (service.totalOff === undefined) return { data };
		const total = Math.max(0, ids.length + service.totalOff);
		if (exists || service.totalPastTheEnd === undefined) return { data, totalRecords: total };
		return { data, totalRecords: service.totalPastTheEnd };
	};
	const client = {
		send: async (request: ServiceRequest) => ({ json: await send(request), sentAt: 0 }),
	};
	return { readPage: createPageReader(client), ids, requests: () => requests };
}

/** Whether a total that is too low says that these are all: then nobody can know of the others. */
const seemAll = (found: unknown[], { classes, totalOff = 0 }: Traits) =>
	totalOff < 0 && found.length === classes + totalOff;

const pageSizes = fc.constantFrom(100, 7);
const idsOf = ({ classes }: Awaited<ReturnType<typeof readClasses>>) => classes.map(({ id }) => id);

/** Reads the list; undefined if the total promises more than there is, and the service refuses to list it. */
async function read(service: Traits, options: { pageSize?: number; limit?: number }) {
	const { readPage, requests } = createService(service);
	const { totalOff = 0, missingPage } = service;
	const list = await readClasses(readPage, options).catch((error: unknown) => {
		if (totalOff <= 0 || missingPage === 200) throw error;
		expect(error).toMatchObject({ failure: { status: missingPage } });
	});
	return list && { ids: idsOf(list), total: list.total, requests: requests() };
}

/** A service without peculiarities, and without classes. */
const PLAIN: Traits = {
	classes: 0,
	firstPage: 1,
	pageLimit: Infinity,
	mostPageSize: Infinity,
	leastPageSize: 0,
	skipsRequestedSize: true,
	totalOff: 0,
	overlap: 0,
	missingPage: 200,
};

test.each<[Partial<Traits>, number]>([
	[{ totalPastTheEnd: 0, classes: 250, firstPage: 0 }, 3],
	[{ totalPastTheEnd: null, classes: 150, pageLimit: 50, skipsRequestedSize: false }, 4],
	[{ totalPastTheEnd: 0, classes: 950, pageLimit: 50, skipsRequestedSize: false }, 20],
])('an honest list is read once: %j', async (traits, most) => {
	const { readPage, requests } = createService({ ...PLAIN, ...traits });
	await readClasses(readPage);
	expect(requests()).toBe(most);
});

test.each<[firstPage: 0 | 1, classes: number, isMissing: boolean]>([
	[1, 200, true],
	[0, 200, true],
	[1, 150, false],
	[0, 150, false],
])('pages from %i, %i classes, 50 more in the total: one is missing: %s', async (...row) => {
	const [firstPage, classes, isMissing] = row;
	const traits = { ...PLAIN, firstPage, classes, totalOff: 50, missingPage: 422 };
	const { readPage } = createService(traits);
	const reading = readClasses(readPage);
	if (isMissing) await expect(reading).rejects.toMatchObject({ failure: { status: 422 } });
	else expect(await reading).toMatchObject({ classes: { length: 150 }, total: 200 });
});

test('a list without an end is an error', async () => {
	const endless: Parameters<typeof readClasses>[0] = async (number = 0, pageSize) => ({
		classes: [{ id: number }],
		pageSize,
	});
	// The trigger has no 'Limit'.
	await expect(readClasses(endless)).rejects.toMatchObject({
		message: 'The class list has more than 10000 pages',
		description: "Filter with 'Name Contains'.",
	});
});

testProperty(
	'every class comes once and in order, whichever way the service lists them',
	500,
	fc.asyncProperty(traits, pageSizes, async (service, pageSize) => {
		const list = await read(service, { pageSize });
		if (!list) return;
		const { ids, total, requests } = list;
		if (!seemAll(ids, service)) {
			expect(ids).toEqual(idsUpTo(service.classes));
			const isTooHigh = (service.totalOff ?? 0) > 0;
			if (ids.length > 0)
				expect(total).toBe(isTooHigh ? service.classes + service.totalOff! : undefined);
		}
		expect(new Set(ids).size).toBe(ids.length);
		const size = Math.min(pageSize, service.pageLimit, service.mostPageSize);
		const news = Math.max(1, size - service.overlap);
		expect(requests).toBeLessThanOrEqual(2 * Math.ceil(service.classes / news) + 40);
	}),
);

testProperty(
	'a limit takes the first classes',
	500,
	fc.asyncProperty(traits, fc.integer({ min: 1, max: 150 }), async (service, limit) => {
		const list = await read(service, { limit });
		if (!list) return;
		const count = Math.min(limit, service.classes);
		expect(list.ids).toEqual(idsUpTo(seemAll(list.ids, service) ? list.ids.length : count));
	}),
);

testProperty(
	'a class that comes or goes while the list is read takes no other along and doubles none',
	500,
	fc.asyncProperty(traits, change, pageSizes, async (service, change, pageSize) => {
		const honest = { ...service, totalOff: 0 };
		const { readPage, ids: staying } = createService(honest, change);
		const ids = idsOf(await readClasses(readPage, { pageSize }));
		const returned = new Set(ids).add('new');
		expect(staying.filter((id) => !returned.has(id))).toEqual([]);
		expect(new Set(ids).size).toBe(ids.length);
	}),
);
