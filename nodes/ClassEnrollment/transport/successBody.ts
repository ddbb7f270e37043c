import { isEmpty, mapKeys } from 'lodash';
import { toObject } from '../values/json';

const NO = /^(err|fail|false$|reject|denied|-\d|[45]\d\d$)/i;

/**
 * Classifies the body of a success (docs/how-it-works.md):
 * - `rejected`: it says no by its `status`, `statusCode`, `success` or `ok`, as in the service's error body.
 * - `unclear`: it reports errors, so that a part may have been done.
 */
export function classifyBody(json: unknown): 'done' | 'rejected' | 'unclear' {
	const body = mapKeys(toObject(json), (_, key) => key.toLowerCase());
	const { status, statuscode, success, ok, error, errors } = body;
	if ([status, statuscode].some((said) => NO.test(String(said)))) return 'rejected';
	if ([success, ok].some((flag) => /^(false|0)$/i.test(String(flag)))) return 'rejected';
	const isError = (said: unknown) => (typeof said === 'object' ? !isEmpty(said) : Boolean(said));
	return [error, errors].some(isError) ? 'unclear' : 'done';
}
