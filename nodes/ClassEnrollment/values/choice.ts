import { InvalidValueError, quote } from './invalidValue';

/** A choice of a parameter, as the editor's list shows it. */
export interface Choice {
	name: string;
	value: string;
	description?: string;
}

/** Finds the choice with a value; throws InvalidValueError if there is none, also for an empty value. */
export function findChoice<Found extends Choice>(
	value: unknown,
	choices: readonly Found[],
	parameter: string,
): Found {
	const found = choices.find((choice) => choice.value === value);
	if (found) return found;
	const names = choices.map((choice) => `${choice.value} (${choice.name})`).join(', ');
	const problem = `has no option ${quote(value ?? '')}`;
	throw new InvalidValueError(parameter, problem, `Choose one of: ${names}.`);
}

/** Returns what the editor's list shows of choices that have more than that. */
export function toShownOptions(choices: readonly Choice[]): Choice[] {
	return choices.map(({ name, value, description }) => ({ name, value, description }));
}
