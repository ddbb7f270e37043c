import { type INode, NodeApiError, NodeOperationError } from 'n8n-workflow';
import { ServiceError } from '../transport/serviceError';
import { failureMessage } from '../values/failureMessage';
import { InvalidValueError } from '../values/invalidValue';

/** An error as n8n shows it, tied to a node and an item. */
export type NodeError = NodeApiError | NodeOperationError;

/**
 * The message and description to show for an error.
 * @param location where an invalid value comes from, such as "item 3"; not shown without it
 */
export function describeError(error: unknown, location?: string) {
	const { message, description } = error as Error & { description?: string | null };
	const where = location && error instanceof InvalidValueError ? ` [${location}]` : '';
	return { message: `${message}${where}`, description };
}

/** Makes an error that n8n shows with the item that caused it. */
export function toNodeError(
	node: INode,
	error: unknown,
	itemIndex: number,
	{ message, description }: ReturnType<typeof describeError>,
): NodeError {
	const shown =
		error instanceof ServiceError
			? new NodeApiError(node, {}, { httpCode: error.failure.status?.toString(), itemIndex })
			: new NodeOperationError(node, error as Error, { itemIndex });
	// n8n replaces messages in which it finds one of its keywords ("EEXIST" in "preexisting").
	return Object.assign(shown, { message: failureMessage(message), description });
}
