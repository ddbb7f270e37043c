// What a cell holds. A person may have typed anything.
import { readDate } from '../../reading/dates';
import { readText, UnreadableValue } from '../../reading/text';
import type { Time } from '../types';

/** A cell as text, trimmed; empty if it holds anything else. */
export const orEmpty = (value: unknown): string =>
	value === undefined || typeof value === 'object' ? '' : readText(String(value), '');

/**
 * Reads a cell that may hold anything.
 * @param problems gets what is wrong with it, in place of an exception: one cell mustn't keep everybody else waiting
 * @returns null if something is wrong with it
 */
export function attempt<T>(problems: string[], read: () => T): T | null {
	try {
		return read();
	} catch (error) {
		if (!(error instanceof UnreadableValue)) throw error;
		problems.push(error.message);
		return null;
	}
}

/** A date in a cell, null if it is empty or can't be read: then `problems` gets why. */
export const dateIn = (value: unknown, name: string, problems: string[]): Time | null =>
	attempt(problems, () => readDate(value, name)?.time ?? null);

/** Whole months, or null for an empty cell. */
export function monthsOf(value: unknown): number | null {
	if (value === null || value === undefined || value === '') return null;
	const months = Number(value);
	if (Number.isInteger(months) && months >= 1 && months <= 1200) return months;
	throw new UnreadableValue(
		`The months aren't a whole number from 1 to 1200: "${orEmpty(value)}".`,
	);
}
