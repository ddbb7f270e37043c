import { readDate } from '../reading/dates';

// A column of dates stores a day as its midnight in UTC.
const STORED_DAY = /^(\d{4}-\d{2}-\d{2})T00:00:00\.000Z$/;

/**
 * Reads when access ends. A day without a time lasts to its end, in the time zone of the workflow.
 * @param value a cell: ISO 8601, a Date, or empty
 * @returns milliseconds since 1970; Infinity for an empty cell: access never ends
 * @throws UnreadableValue for anything else, such as 31/12/2027, which is never guessed
 */
export function readEnd(value: unknown): number {
	const given = value instanceof Date ? value.toISOString() : value;
	const day = typeof given === 'string' ? STORED_DAY.exec(given)?.[1] : undefined;
	return readDate(day ?? given, 'expiresAt')?.time ?? Infinity;
}
