import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** An output item, linked to the input item that caused it. */
export function outputItem(json: IDataObject, itemIndex: number): INodeExecutionData {
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
	return outputItem({ error: description ? `${message}. ${description}` : message }, itemIndex);
}
