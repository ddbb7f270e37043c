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
	hasTotal: boolean;
}

const traits = fc.record<Traits>({
	classes: fc.integer({ min: 0, max: 260 }),
	firstPage: fc.constantFrom(1, 0),
	pageLimit: fc.oneof(fc.constant(50), fc.integer({ min: 2, max: 120 })),
	mostPageSize: fc.constantFrom(Infinity, 50, 25, 10),
	hasTotal: fc.boolean(),
});

const idsUpTo = (count: number) => Array.from({ length: count }, (_, n) => `class-${n}`);

/** Returns a client of a service with these traits. */
function clientOf({ classes, firstPage, pageLimit, mostPageSize, hasTotal }: Traits) {
	const ids = idsUpTo(classes);
	return {
		send: async ({ query }: ServiceRequest) => {
			const asked = Number(query!.pageSize ?? 10);
			if (asked > mostPageSize) {
				const failure = { message: '', advice: '', effect: 'noneIfOne', status: 400 } as const;
				throw new ServiceError(failure);
			}
			const size = Math.min(asked, pageLimit);
			const index = Number(query!.page ?? firstPage) - firstPage;
			const data =
				index < 0 ? [] : ids.slice(index * size, (index + 1) * size).map((id) => ({ id }));
			const json = hasTotal ? { data, totalRecords: classes } : { data };
			return await Promise.resolve({ json, sentAt: 0 });
		},
	};
}

test('a list without an end is an error', async () => {
	let count = 0;
	const send = async () => await Promise.resolve({ json: { data: [{ id: count++ }] }, sentAt: 0 });
	// The trigger has no 'Limit'.
	await expect(readClasses({ send }, {})).rejects.toMatchObject({
		message: 'The class list has more than 10000 pages',
		description: "Filter with 'Name Contains'.",
	});
});

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
