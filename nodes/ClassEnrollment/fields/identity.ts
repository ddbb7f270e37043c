import { attempt, mapValues, pickBy } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { toObject } from '../values/json';
import type { ItemParameters } from './parameters';

/**
 * Returns what tells an item from others, as far as it can be read and shown in short: the parameters that are required and
 * always shown.
 * @param email the address of its student, if there is one
 */
export function identityOf(
	fields: INodeProperties[],
	{ get }: ItemParameters,
	email?: string,
): IDataObject {
	const own = fields.filter(({ required, displayOptions }) => required && !displayOptions);
	const values = Object.fromEntries(own.map(({ name }) => [name, attempt(get, name)]));
	// Of a class chosen from the list, its ID.
	const texts = mapValues({ email, ...values }, (value) => toObject(value).value ?? value);
	const isShown = (value: unknown) =>
		Number.isFinite(value) ||
		((typeof value === 'string' || Array.isArray(value)) && value.length > 0);
	return pickBy(texts, isShown);
}
