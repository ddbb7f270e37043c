import { InvalidValueError, quote } from './invalidValue';
import { isBlank } from './text';

// In many countries, 1.000 is a thousand.
const DIGITS = /^\s*[+-]?\d+\s*$/;

/** Checks a whole number, also as text; throws InvalidValueError if it is none, or below `lowest`. */
export function parseWholeNumber(value: unknown, parameter: string, lowest: number): number {
	const number = typeof value === 'string' && DIGITS.test(value) ? Number(value) : value;
	const kind = `a whole number, ${lowest} or greater`;
	if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < lowest) {
		const problem = `must be ${kind}, but is ${quote(value ?? '')}`;
		throw new InvalidValueError(parameter, problem, `Enter ${kind}.`);
	}
	return number;
}

/** The same for a number that may be left out: then it is undefined. */
export function parseOptionalWholeNumber(value: unknown, parameter: string, lowest: number) {
	return isBlank(value) ? undefined : parseWholeNumber(value, parameter, lowest);
}
