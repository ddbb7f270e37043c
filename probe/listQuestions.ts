import { describe, isDone, isRejected, objectOf, type Answer } from './answer';
import { classesOf } from './classroom';
import type { Probe, Question } from './question';
import type { ServiceRequest } from './service';

const FILE = 'classes/readClasses.ts';
const FAR_PAGE = 100_000;

const list = async ({ service }: Probe, query: ServiceRequest['query'] = {}) =>
	await service.send({ method: 'GET', path: '/classe', query });

const idsOf = (answer: Answer) => classesOf(answer).map(({ id }) => String(id));

const isSame = (one: Answer, other: Answer) => idsOf(one).join() === idsOf(other).join();

/** A list in a few words. */
function summarize(answer: Answer): string {
	if (!isDone(answer)) return describe(answer);
	const { totalRecords } = objectOf(answer);
	return `status ${answer.status}, ${idsOf(answer).length} classes, totalRecords ${String(totalRecords)}`;
}

/** Questions that only read. */
export const LIST_QUESTIONS: Question[] = [
	{
		title: 'The class list',
		sends: 'GET /classe',
		assumption: 'A success with a list `data` and a number `totalRecords`',
		file: FILE,
		ask: async (probe) => {
			const answer = await list(probe);
			const { data, totalRecords } = objectOf(answer);
			const isHeld = isDone(answer) && Array.isArray(data) && typeof totalRecords === 'number';
			return { seen: summarize(answer), isHeld };
		},
	},
	{
		title: 'The first page',
		sends: 'GET /classe with pageSize 1: without a page, page 0, page 1',
		assumption: 'Without a page, the first one; counted from 0 or 1',
		file: FILE,
		ask: async (probe) => {
			const first = await list(probe, { pageSize: 1 });
			const zero = await list(probe, { pageSize: 1, page: 0 });
			const one = await list(probe, { pageSize: 1, page: 1 });
			const isFromZero = isDone(zero) && idsOf(zero).length > 0 && isSame(first, zero);
			const isFromOne = isSame(first, one);
			const seen = `page 0: ${summarize(zero)}; page 1: ${summarize(one)}`;
			const isTold = isDone(first) && isDone(one) && idsOf(first).length === 1;
			if (!isTold || Number(objectOf(first).totalRecords) < 2) {
				return { seen: `${seen}; too few classes, or no page of one` };
			}
			const counted = isFromOne ? 'from 1' : isFromZero ? 'from 0' : 'in another way';
			return { seen: `${seen}; counted ${counted}`, isHeld: isFromOne || isFromZero };
		},
	},
	{
		title: 'Page sizes, and after the last page',
		sends: `GET /classe with pageSize 100 and 1000, and page ${FAR_PAGE}`,
		assumption:
			'A size is taken, cut down or rejected; after the last page comes no class that was not on an earlier one',
		file: FILE,
		ask: async (probe) => {
			const hundred = await list(probe, { pageSize: 100 });
			const thousand = await list(probe, { pageSize: 1000 });
			const far = await list(probe, { pageSize: 100, page: FAR_PAGE });
			const areSizesUsable = [hundred, thousand].every((page) => isDone(page) || isRejected(page));
			const isFarKnown = idsOf(far).every((id) => idsOf(hundred).includes(id));
			const seen = `100: ${summarize(hundred)}; 1000: ${summarize(thousand)}; far page: ${summarize(far)}`;
			const isFarRight = isDone(hundred) ? isDone(far) && isFarKnown : undefined;
			return { seen, isHeld: areSizesUsable && isFarRight };
		},
	},
	{
		title: 'The name filter',
		sends: 'GET /classe with a part of a name in capitals as query',
		assumption: 'Finds a class by a part of its name',
		file: 'classes/loadOptions.ts',
		ask: async (probe) => {
			const [first] = classesOf(await list(probe));
			const name = String(first?.name ?? '');
			if (name.length < 2) return { seen: 'no class with a name' };
			const query = name.slice(0, Math.ceil(name.length / 2)).toUpperCase();
			const answer = await list(probe, { query, pageSize: 100 });
			return { seen: summarize(answer), isHeld: idsOf(answer).includes(String(first?.id)) };
		},
	},
	{
		title: 'A wrong token',
		sends: 'GET /classe with a wrong token',
		assumption: 'Status 401',
		file: 'transport/response.ts',
		ask: async ({ service }) => {
			const answer = await service.send({ method: 'GET', path: '/classe', token: 'wrong-token' });
			return { seen: describe(answer), isHeld: answer.status === 401 };
		},
	},
];
