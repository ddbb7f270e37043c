import { attempt, mapValues, omit, pickBy } from 'lodash';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { toObject } from '../values/json';
import type { ItemParameters } from './parameters';

/**
 * Returns what tells an item from others, as far as it can be read and shown in short: the parameters that are required and
 * always shown.
 * @param email the address of its student, trimmed, if there is one
 */
export function identityOf(
	fields: INodeProperties[],
	{ get }: ItemParameters,
	email?: string,
): IDataObject {
	const own = fields.filter(({ required, displayOptions }) => required && !displayOptions);
	const values = Object.fromEntries(
		own.map(({ name }) => [name, attempt(get, name)]),
	) as IDataObject;
	const identity = { email: email ?? values.email, ...omit(values, 'email') };
	// Of a class chosen from the list, its ID.
	const texts = mapValues(identity, (value) => toObject(value).value ?? value);
	const isShown = (value: unknown) =>
		Number.isFinite(value) ||
		((typeof value === 'string' || Array.isArray(value)) && value.length > 0);
	return pickBy(texts, isShown);
}
