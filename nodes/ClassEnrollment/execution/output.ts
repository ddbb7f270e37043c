import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { omitUndefined } from '../values/omitUndefined';
import type { OperationRun } from './operation';

/**
 * An output item, linked to the input item that caused it. A field `error` that the service returned is left out,
 * because n8n would take it for a failure.
 */
export function outputItem({ error, ...json }: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}

/**
 * An output item for a failure. n8n recognizes it by its only field, `error`, moves it to the error output and adds the
 * fields of the input item. Where there is no error output, what identifies the item follows the error.
 */
export function errorItem(
	{ node }: OperationRun,
	{ message, description }: { message: string; description?: string | null },
	itemIndex: number,
	identity: () => IDataObject,
): INodeExecutionData {
	const error = description ? `${message}. ${description}` : message;
	const others = node.onError === 'continueErrorOutput' ? {} : omitUndefined(identity());
	return { json: { error, ...others }, pairedItem: { item: itemIndex } };
}
