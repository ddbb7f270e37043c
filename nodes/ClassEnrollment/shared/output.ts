import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

/** An item that comes out, linked to the input item that caused it. */
export function outputItem(json: IDataObject, itemIndex: number): INodeExecutionData {
	return { json, pairedItem: { item: itemIndex } };
}

/**
 * An item that stands for a failure. By a lone field `error` n8n knows it as one, moves it to the error output
 * and adds the fields of the input item.
 */
export function errorItem(
	{ message, description }: { message: string; description?: string | null },
	itemIndex: number,
): INodeExecutionData {
	return outputItem({ error: description ? `${message}. ${description}` : message }, itemIndex);
}
