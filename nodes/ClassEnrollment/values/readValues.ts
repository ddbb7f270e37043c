import { map, uniq } from 'lodash';
import { InvalidValueError } from './invalidValue';

/** Reads all values by their names; throws one InvalidValueError that names all that are wrong. */
export function readValues<Values>(readers: {
	[Name in keyof Values]: () => Values[Name];
}): Values {
	const values: Partial<Values> = {};
	const errors: unknown[] = [];
	for (const name in readers) {
		try {
			values[name] = readers[name]();
		} catch (error) {
			errors.push(error);
		}
	}
	if (errors.length === 0) return values as Values;
	const invalid = errors.filter((error) => error instanceof InvalidValueError);
	throw invalid.length === errors.length ? joinErrors(invalid) : errors[0];
}

function joinErrors(errors: InvalidValueError[]): InvalidValueError {
	const joined = new InvalidValueError('', '', uniq(map(errors, 'description')).join(' '));
	joined.message = uniq(map(errors, 'message')).join('. ');
	return joined;
}
