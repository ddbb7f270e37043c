import map from 'lodash/map';
import uniq from 'lodash/uniq';
import { InvalidValueError } from './invalidValue';

/** For each value, how to read it from a source. */
export type Readers<Source, Values> = {
	[Name in keyof Values]-?: (source: Source) => Values[Name];
};

/** Reads all values; throws one error that names all that is wrong with them. */
export function readAll<Source, Values>(readers: Readers<Source, Values>, source: Source): Values {
	const values: Partial<Values> = {};
	const errors: unknown[] = [];
	for (const name in readers) {
		try {
			values[name] = readers[name](source);
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
