import { readLastDay } from '../reading/dates';

/**
 * Reads when access ends. A day without a time lasts to its end, in the time zone of the workflow.
 * @param value a cell: ISO 8601, a Date, or empty
 * @returns milliseconds since 1970; Infinity for an empty cell: access never ends
 * @throws UnreadableValue for anything else, such as 31/12/2027, which is never guessed
 */
export const readEnd = (value: unknown): number =>
	readLastDay(value, 'expiresAt')?.time ?? Infinity;
