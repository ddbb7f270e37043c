import map from 'lodash/map';
import uniq from 'lodash/uniq';
import { InvalidValueError } from './invalidValue';

/** Reads all values by their names; throws one InvalidValueError that names all that are wrong. */
export function readAll<Values>(readers: { [Name in keyof Values]: () => Values[Name] }): Values {
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
	throw joinErrors(errors);
}

function joinErrors(errors: unknown[]): unknown {
	const invalid = errors.filter((error) => error instanceof InvalidValueError);
	if (invalid.length < errors.length) return errors[0];
	const joined = new InvalidValueError('', '', uniq(map(invalid, 'description')).join(' '));
	joined.message = uniq(map(invalid, 'message')).join('. ');
	return joined;
}
