import fc from 'fast-check';
import { createPageReader } from '../../nodes/ClassEnrollment/classes/classPages';
import { readClasses } from '../../nodes/ClassEnrollment/classes/readClasses';
import type { ServiceRequest } from '../../nodes/ClassEnrollment/transport/http';
import { ServiceError } from '../../nodes/ClassEnrollment/transport/serviceError';

/** How a service lists its classes. */
interface Traits {
	classes: number;
	firstPage: 0 | 1;
	/** It returns at most so many classes. */
	pageLimit: number;
	/** It rejects a request for more. */
	mostPageSize: number;
	/** By how much the total is too high, -Infinity if it is always 0; undefined if there is no total. */
	totalOff?: number;
	/** Each page repeats so many classes of the one before it. */
	overlap: number;
	/** The status for a page that does not exist; 200 returns an empty one. */
	missingPage: number;
}

const traits = fc.record<Traits>({
	classes: fc.integer({ min: 0, max: 260 }),
	firstPage: fc.constantFrom(0, 1),
	pageLimit: fc.oneof(fc.constant(Infinity), fc.integer({ min: 2, max: 120 })),
	mostPageSize: fc.constantFrom(Infinity, 50, 25, 10),
	totalOff: fc.option(fc.constantFrom(0, 0, 1, 7, -Infinity), { nil: undefined }),
	overlap: fc.constantFrom(0, 0, 1),
	missingPage: fc.constantFrom(200, 400, 404, 422, 500),
});

const fail = (status: number): never => {
	throw new ServiceError({
		message: `Status ${status}`,
		description: '',
		status,
		mayHaveTakenEffect: false,
		failureCause: 'configuration-invalid',
	});
};

/** A service with these traits, and how many requests it got. */
function createService(service: Traits) {
	let requests = 0;
	const send = async ({ query }: ServiceRequest): Promise<unknown> => {
		requests++;
		const asked = Number(query!.pageSize);
		if (asked > service.mostPageSize) fail(400);
		const size = Math.min(asked, service.pageLimit);
		const index = Number(query!.page ?? service.firstPage) - service.firstPage;
		const first = index * Math.max(1, size - service.overlap);
		const exists = index === 0 || (index > 0 && first < service.classes);
		if (!exists && service.missingPage !== 200) fail(service.missingPage);
		const length = exists ? Math.max(0, Math.min(size, service.classes - first)) : 0;
		return {
			data: Array.from({ length }, (_, n) => ({ id: `class-${first + n}` })),
			...(service.totalOff === undefined
				? {}
				: { totalRecords: Math.max(0, service.classes + service.totalOff) }),
		};
	};
	return { readPage: createPageReader(send, {}), requests: () => requests };
}

const idsUpTo = (count: number) => Array.from({ length: count }, (_, n) => `class-${n}`);

test('every class comes once and in order, whichever way the service lists them', async () => {
	await fc.assert(
		fc.asyncProperty(traits, fc.constantFrom(100, 7), async (service, pageSize) => {
			const { readPage, requests } = createService(service);
			const { classes } = await readClasses(readPage, { pageSize, limit: Infinity });
			expect(classes.map(({ id }) => id)).toEqual(idsUpTo(service.classes));
			const size = Math.min(pageSize, service.pageLimit, service.mostPageSize) - service.overlap;
			expect(requests()).toBeLessThanOrEqual(2 * Math.ceil(service.classes / size) + 40);
		}),
		{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
	);
});

test('a limit takes the first classes', async () => {
	await fc.assert(
		fc.asyncProperty(traits, fc.integer({ min: 1, max: 150 }), async (service, limit) => {
			const { readPage } = createService(service);
			const { classes } = await readClasses(readPage, { pageSize: 100, limit });
			expect(classes.map(({ id }) => id)).toEqual(idsUpTo(Math.min(limit, service.classes)));
		}),
		{ numRuns: Number(process.env.PROPERTY_RUNS ?? 500) },
	);
});
