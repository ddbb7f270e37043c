import { InvalidValueError, quote } from './invalidValue';
import { isBlank } from './text';

/**
 * Reads a whole number; an expression may give it as a text.
 * @throws InvalidValueError where it is no whole number or lies below `lowest`
 */
export function readWholeNumber(value: unknown, parameter: string, lowest: number): number {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < lowest) {
		throw new InvalidValueError(
			parameter,
			`must be a whole number of at least ${lowest}, but is ${quote(value ?? '')}`,
			`Enter ${lowest} or more.`,
		);
	}
	return number;
}
