import { InvalidValueError } from '../values/invalidValue';
import type { InputItem, ItemParameters } from '../operation';
import { readWholeNumber } from '../values/wholeNumber';
import { type RawRow, readStudentsFrom, rowsOfItems, rowsOfList } from './rows';

/** How many students to send in one request where the user does not say. */
export const STUDENTS_PER_REQUEST = 100;

/** Students that share requests. */
interface Job {
	rows: RawRow[];
	batchSize: number;
}

/**
 * Finds the students in the input: all items together are one job, while every item that brings a list is a job
 * of its own. What is wrong with a job turns up when its rows are read.
 */
export function readJobs(items: InputItem[]): Job[] {
	if (items.length === 0) return [];
	return attempt(items, () => {
		const [from, ...others] = items.map(({ parameters }) => readStudentsFrom(parameters));
		if (from === undefined || others.some((other) => other !== from)) {
			throw new InvalidValueError(
				'Students From',
				'must be the same for all items',
				'Choose one, or split the items before this step.',
			);
		}
		if (from === 'inputItems') return readJob(items, () => rowsOfItems(items));
		return items.flatMap((item) => readJob([item], () => rowsOfList(item, from)));
	});
}

function readJob(items: InputItem[], readRows: () => RawRow[]): Job[] {
	return attempt(items, () => [
		{ rows: readRows(), batchSize: readBatchSize(items[0]!.parameters) },
	]);
}

function attempt(items: InputItem[], read: () => Job[]): Job[] {
	try {
		return read();
	} catch (error) {
		return [failingJob(items, error)];
	}
}

function failingJob(items: InputItem[], error: unknown): Job {
	const read = () => {
		throw error;
	};
	const rows = items.map(({ itemIndex }) => ({ itemIndex, read }));
	return { rows, batchSize: STUDENTS_PER_REQUEST };
}

function readBatchSize({ get }: ItemParameters): number {
	const { batchSize } = (get('options') ?? {}) as { batchSize?: unknown };
	return readWholeNumber(batchSize ?? STUDENTS_PER_REQUEST, 'Batch Size', 1);
}
