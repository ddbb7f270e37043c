import type { IDataObject } from 'n8n-workflow';
import { classesField, classField } from './class';
import type { ItemParameters } from './parameters';
import { emailField } from './student';

/**
 * Returns what tells a failed item from others: the student and the classes, as the parameters name them. Values that
 * cannot be read or shown are left out.
 */
export function identityOf({ get }: ItemParameters): IDataObject {
	const identity: IDataObject = {};
	for (const { name } of [emailField, classField, classesField]) {
		const value = readIfAny(() => get(name));
		const isLocator = typeof value === 'object' && value !== null && 'value' in value;
		const shown: unknown = isLocator ? value.value : value;
		const isShown = typeof shown === 'string' || Array.isArray(shown);
		if (isShown && shown.length > 0) identity[name] = shown as string | string[];
	}
	return identity;
}

/** Reads a value; undefined if that fails. */
export function readIfAny<Value>(read: () => Value): Value | undefined {
	try {
		return read();
	} catch {
		return undefined;
	}
}
