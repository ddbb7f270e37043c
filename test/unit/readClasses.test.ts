import fc from 'fast-check';
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
	/** What it reports as the total: all classes (also only on the first page), those of the page, fewer than it has, 0, or nothing. */
	total: 'all' | 'first' | 'page' | 'fewer' | 'zero' | 'none';
	/** It rejects a page after the last one. */
	hasEnd: boolean;
}

const traits = fc.record<Traits>({
	classes: fc.integer({ min: 0, max: 260 }),
	firstPage: fc.constantFrom(1, 0),
	pageLimit: fc.oneof(fc.constant(50), fc.integer({ min: 2, max: 120 })),
	mostPageSize: fc.constantFrom(Infinity, 50, 25, 10),
	total: fc.constantFrom('all', 'first', 'none'),
	hasEnd: fc.constant(false),
});

const REGULAR: Omit<Traits, 'total' | 'hasEnd'> = {
	classes: 237,
	firstPage: 1,
	pageLimit: 100,
	mostPageSize: Infinity,
};

const idsUpTo = (count: number) => Array.from({ length: count }, (_, n) => `class-${n}`);

/** Returns a client of a service with these traits. */
function clientOf({ classes, firstPage, pageLimit, mostPageSize, total, hasEnd }: Traits) {
	const ids = idsUpTo(classes);
	return {
		send: async ({ query }: ServiceRequest) => {
			const asked = Number(query!.pageSize ?? 10);
			const size = Math.min(asked, pageLimit);
			const index = Number(query!.page ?? firstPage) - firstPage;
			if (asked > mostPageSize || (hasEnd && index > 0 && index * size >= classes)) {
				const failure = { message: '', advice: '', outcome: 'rejected', status: 400 } as const;
				throw new ServiceError(failure);
			}
			const data =
				index < 0 ? [] : ids.slice(index * size, (index + 1) * size).map((id) => ({ id }));
			// Not a number of whole pages, which could be all.
			const fewer = Math.min(classes, 151);
			const first = query!.page === undefined ? classes : undefined;
			const totals = { all: classes, first, page: data.length, fewer, zero: 0, none: undefined };
			const totalRecords = totals[total];
			const json = { data, totalRecords };
			return await Promise.resolve({ json, sentAt: 0 });
		},
	};
}

testProperty(
	'every class comes once and in order, at most as many as the limit, whichever way the service lists them',
	500,
	fc.asyncProperty(
		traits,
		fc.constantFrom(100, 7),
		fc.oneof(fc.constant(Infinity), fc.integer({ min: 1, max: 150 })),
		async (service, pageSize, limit) => {
			const list = await readClasses(clientOf(service), { pageSize, limit });
			expect(list.map(({ id }) => id)).toEqual(idsUpTo(Math.min(limit, service.classes)));
		},
	),
);

testProperty(
	'also where the service reports another number as the total, and rejects a page after the last one',
	500,
	fc.asyncProperty(
		fc
			.tuple(
				traits,
				fc.constantFrom('page' as const, 'fewer' as const, 'zero' as const),
				fc.constantFrom(1000, 50, 25, 20),
			)
			.map(([service, total, pageLimit]) => ({ ...service, total, hasEnd: true, pageLimit })),
		fc.constantFrom(100, 7),
		async (service, pageSize) => {
			const list = await readClasses(clientOf(service), { pageSize });
			expect(list.map(({ id }) => id)).toEqual(idsUpTo(service.classes));
		},
	),
);

test.each(['page', 'fewer', 'zero'] as const)(
	'a page that fails is no end of the list where the service reports the total "%s"',
	async (total) => {
		const service: Traits = { ...REGULAR, total, hasEnd: true };
		const { send } = clientOf(service);
		const failure = { message: 'Down', outcome: 'notProcessed', status: 503 } as const;
		const failing = {
			send: async (request: ServiceRequest) => {
				if (Number(request.query!.page) === 2) throw new ServiceError(failure);
				return await send(request);
			},
		};
		await expect(readClasses(failing, { pageSize: 100 })).rejects.toThrow('Down');
	},
);
