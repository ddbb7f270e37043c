import { InvalidValueError, quote } from './invalidValue';
import { isBlank } from './text';

/**
 * Checks a whole number; an expression may return it as text.
 * @throws InvalidValueError if it is not a whole number, or is below `lowest`
 */
export function parseWholeNumber(value: unknown, parameter: string, lowest: number): number {
	const number = typeof value === 'string' && !isBlank(value) ? Number(value) : value;
	if (typeof number !== 'number' || !Number.isSafeInteger(number) || number < lowest) {
		throw new InvalidValueError(
			parameter,
			`must be a whole number, ${lowest} or greater, but is ${quote(value ?? '')}`,
			`Enter ${lowest} or more.`,
		);
	}
	return number;
}
