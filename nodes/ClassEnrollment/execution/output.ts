import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/**
 * An output item, linked to the input item that caused it. A field `error` that the service returned is left out,
 * because n8n would take it for a failure.
 */
export function outputItem({ error, ...json }: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}

/**
 * An output item for a failure. By its lone field `error`, n8n recognizes it, moves it to the error output
 * and adds the fields of the input item.
 */
export function errorItem(
	{ message, description }: { message: string; description?: string | null },
	itemIndex: number,
): INodeExecutionData {
	const error = description ? `${message}. ${description}` : message;
	return { json: { error }, pairedItem: { item: itemIndex } };
}
