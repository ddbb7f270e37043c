import { InvalidValueError, quote } from './invalidValue';

/**
 * Checks a value that must be one of a few.
 * @param choices the allowed values, with the name the editor shows for each
 * @throws InvalidValueError for any other value, also for an empty one
 */
export function parseChoice<Choice extends string>(
	value: unknown,
	choices: Readonly<Record<Choice, string>>,
	parameter: string,
): Choice {
	if (typeof value === 'string' && Object.hasOwn(choices, value)) return value as Choice;
	throw new InvalidValueError(
		parameter,
		`cannot be ${quote(value ?? '')}`,
		`Choose one of: ${Object.entries(choices)
			.map(([choice, name]) => `${choice} (${name})`)
			.join(', ')}.`,
	);
}
