import { InvalidValueError, quote } from './invalidValue';

/**
 * Reads a switch; an expression may give it as a text.
 * @throws InvalidValueError for anything but true and false
 */
export function readBoolean(value: unknown, parameter: string): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	throw new InvalidValueError(
		parameter,
		`must be true or false, but is ${quote(value)}`,
		'Switch it on or off, or let the expression give true or false.',
	);
}
