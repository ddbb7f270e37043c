import { InvalidValueError, quote } from './invalidValue';

/** Checks a switch, also as text; throws InvalidValueError for anything but true and false. */
export function parseBoolean(value: unknown, parameter: string): boolean {
	if (value === true || value === 'true') return true;
	if (value === false || value === 'false') return false;
	const advice = 'Turn it on or off, or make the expression return true or false.';
	throw new InvalidValueError(parameter, `must be true or false, but is ${quote(value)}`, advice);
}
