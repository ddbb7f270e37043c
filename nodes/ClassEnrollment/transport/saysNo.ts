import isEmpty from 'lodash/isEmpty';
import mapKeys from 'lodash/mapKeys';
import { toObject } from '../values/json';

/** Whether the body of a success says that it is none (docs/how-it-works.md). What is not an object says no such thing. */
export function saysNo(json: unknown): boolean {
	const body = mapKeys(toObject(json), (_, key) => key.toLowerCase());
	const { status, success, ok, error, errors } = body;
	return (
		/^(err|fail|reject|denied|[45]\d\d$)/i.test(String(status)) ||
		[success, ok].some((flag) => /^(false|0)$/i.test(String(flag))) ||
		[error, errors].some((said) => (typeof said === 'object' ? !isEmpty(said) : Boolean(said)))
	);
}
