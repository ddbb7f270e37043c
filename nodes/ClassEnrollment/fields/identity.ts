import attempt from 'lodash/attempt';
import type { IDataObject, INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from './parameters';

/** The parameters that tell an item from others: the required ones that are always shown. */
export function identityOf(fields: INodeProperties[]): string[] {
	const own = fields.filter(({ required, displayOptions }) => required && !displayOptions);
	// From the particular to the general: the student before the class.
	return own.map(({ name }) => name).reverse();
}

/** Returns parameters as far as they can be read and shown in short. */
export function valuesOf(names: string[], { get }: ItemParameters): IDataObject {
	const values: IDataObject = {};
	for (const name of names) {
		const value: unknown = attempt(get, name);
		const isLocator = typeof value === 'object' && value !== null && 'value' in value;
		const shown: unknown = isLocator ? value.value : value;
		const isShown = typeof shown === 'string' || Array.isArray(shown);
		if (isShown && shown.length > 0) values[name] = shown as string | string[];
	}
	return values;
}
