import { constant, memoize } from 'lodash';
import type { DateTime } from 'luxon';
import { type IExecuteFunctions, isExpression } from 'n8n-workflow';

/** The parameters of one input item. */
export interface ItemParameters {
	/** When the run began, in the workflow's time zone. */
	now: DateTime;
	/** Evaluates a parameter; null if it is not set. */
	get: (name: string) => unknown;
}

// The expression that n8n inserts when a field is dragged into a parameter.
const DRAGGED_FIELD = /^=\{\{\s*\$json\.([A-Za-z_]\w*)\s*\}\}$/;

/**
 * Returns a function that reads a parameter of an item, null if it is not set. n8n takes up to a millisecond to
 * evaluate an expression, which is most of what an item costs. So a parameter without one is read only once, and one
 * that is nothing but a field of the item is taken from the item, if that contains text.
 */
export function createParameterReader(
	context: IExecuteFunctions,
): (name: string, itemIndex: number) => unknown {
	const items = context.getInputData();
	const read = (name: string, index: number) => context.getNodeParameter(name, index, null);
	const readerOf = memoize((name: string, firstIndex: number): ((index: number) => unknown) => {
		const raw = context.getNodeParameter(name, firstIndex, null, { rawExpressions: true });
		if (!containsExpression(raw)) return constant(read(name, firstIndex));
		const field = DRAGGED_FIELD.exec(String(raw))?.[1];
		return (index) => {
			const text = field === undefined ? undefined : items[index]!.json[field];
			return typeof text === 'string' ? text : read(name, index);
		};
	});
	return (name, index) => readerOf(name, index)(index);
}

function containsExpression(raw: unknown): boolean {
	if (typeof raw !== 'object' || raw === null) return isExpression(raw);
	return Object.values(raw).some(containsExpression);
}
