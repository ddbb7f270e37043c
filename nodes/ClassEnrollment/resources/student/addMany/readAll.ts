import { InvalidValueError } from '../../../values/invalidValue';

/** Reads several values; throws one error that names all that is wrong with them. */
export function readAll<Values>(readers: {
	[Name in keyof Values]-?: () => Values[Name];
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
	throw joinErrors(errors);
}

function joinErrors(errors: unknown[]): unknown {
	const invalid = errors.filter((error) => error instanceof InvalidValueError);
	if (errors.length === 1 || invalid.length < errors.length) return errors[0];
	const advice = new Set(invalid.map(({ description }) => description));
	const joined = new InvalidValueError('', '', [...advice].join(' '));
	joined.message = invalid.map(({ message }) => message).join('. ');
	return joined;
}
