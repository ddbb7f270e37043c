import attempt from 'lodash/attempt';
import mapValues from 'lodash/mapValues';
import pickBy from 'lodash/pickBy';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { toObject } from '../values/json';
import type { ItemParameters } from './parameters';

/** Reads the parameters that tell an item from others: the required ones that are always shown. */
export function identityOf(fields: INodeProperties[], { get }: ItemParameters) {
	const own = fields.filter(({ required, displayOptions }) => required && !displayOptions);
	return Object.fromEntries(own.map(({ name }) => [name, attempt(get, name)]));
}

/** Returns values as far as they could be read and can be shown in short. */
export function pickShort(values: Record<string, unknown>): IDataObject {
	// Of a class chosen from the list, its ID.
	const texts = mapValues(values, (value) => toObject(value).value ?? value);
	return pickBy(
		texts,
		(value) => (typeof value === 'string' || Array.isArray(value)) && value.length > 0,
	) as IDataObject;
}
