import isEmpty from 'lodash/isEmpty';
import type { IDataObject } from 'n8n-workflow';

// How a body says no in English, Portuguese or Spanish, also in its own field `status`. What else it says is a yes.
const NO =
	/^((false|falso|0)$|(no|not|não|nao|[4-9]\d\d)(?!\p{L})|erro|fail|falh|fall|reject|rejeit|rechaz|recus|denied|nega|deneg|inv[aá]lid)/iu;

/** Whether a body says that the request failed, as the service's errors do (test/service/openapi.yaml). */
export function marksItselfAsError({ status, success }: IDataObject): boolean {
	return success === false || (typeof status === 'string' && status.toLowerCase() === 'error');
}

/** Whether a body says that the request failed, in another way. */
export function saysNo({ error, errors, ok, success, status }: IDataObject): boolean {
	const texts = [ok, success, status].filter((value) => typeof value !== 'object').map(String);
	return [error, errors].some(saysSomething) || texts.some((text) => NO.test(text.trim()));
}

function saysSomething(value: unknown): boolean {
	if (typeof value === 'object') return !isEmpty(value);
	return Boolean(typeof value === 'string' ? value.trim() : value);
}
