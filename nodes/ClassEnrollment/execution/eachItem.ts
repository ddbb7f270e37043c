import groupBy from 'lodash/groupBy';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { Send } from '../transport/client';
import { type Change, noteDone, outputIfDone } from './earlierTries';
import { formatRanges } from './formatRanges';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { Execute, OperationRun } from './operation';
import { errorItem, outputItem } from './output';
import { startEach } from './startEach';

/** What to do for an item whose parameters passed all checks. */
export interface PreparedItem {
	/** What the item changes; undefined if it only reads. A retry does not repeat a change. */
	change?: Omit<Change, 'itemIndex'>;
	/** Items with the same subject, such as a student, are performed one after the other, in their order. */
	subject?: string;
	/** Returns the JSON of the output items. */
	perform: (send: Send) => Promise<IDataObject[]>;
}

/**
 * Checks the parameters of one item, before any item is performed.
 * @throws InvalidValueError if a parameter cannot be used
 */
export type PrepareItem = (parameters: ItemParameters, run: OperationRun) => PreparedItem;

interface PendingItem extends PreparedItem {
	/** Its place among the input items. */
	position: number;
	itemIndex: number;
	send: Send;
}

/**
 * The operation that handles each input item by itself. All items are checked before the first request. An item
 * that fails becomes an error item under "continue on fail"; otherwise nothing more is started and its error is thrown.
 */
export function eachItem(prepare: PrepareItem): Execute {
	return async (run) => {
		const output = new Array<INodeExecutionData[] | undefined>(run.items.length);
		const pending: PendingItem[] = [];
		for (const [position, { itemIndex, parameters }] of run.items.entries()) {
			try {
				const prepared = prepare(parameters, run);
				const send = await run.session.clientFor(itemIndex);
				const change = prepared.change && { ...prepared.change, itemIndex };
				const done = change && outputIfDone(run.earlierTries, change);
				if (done) output[position] = [done];
				else pending.push({ ...prepared, position, itemIndex, send });
			} catch (error) {
				if (!run.continueOnFail) throw toNodeError(run.node, error, itemIndex);
				output[position] = [errorItem(describeError(error, `item ${itemIndex}`), itemIndex)];
			}
		}

		let failure: NodeError | undefined;
		const groups = groupBy(pending, ({ subject, position }) => subject ?? position);
		await startEach(Object.values(groups), run.session, async (group) => {
			for (const item of group) {
				const { position, itemIndex, perform, send, change } = item;
				try {
					const results = await perform(send);
					const items = results.map((json) => outputItem(json, itemIndex));
					output[position] = items;
					if (change) noteDone(run.earlierTries, { ...change, itemIndex }, items[0]!);
				} catch (error) {
					if (run.continueOnFail) {
						output[position] = [errorItem(describeError(error, `item ${itemIndex}`), itemIndex)];
					} else {
						run.session.stop();
						failure ??= toNodeError(run.node, error, itemIndex);
					}
				}
			}
		});
		if (failure) throw withProgress(failure, output);
		return output.flatMap((items) => items ?? []);
	};
}

function withProgress(
	failure: NodeError,
	output: Array<INodeExecutionData[] | undefined>,
): NodeError {
	if (output.length === 1) return failure;
	const done = [...output.keys()].filter((position) => output[position] !== undefined);
	const progress =
		done.length === 0
			? 'No items were processed.'
			: `Processed ${done.length} of ${output.length} items: ${formatRanges(done)}.`;
	failure.description = [failure.description, progress].filter(Boolean).join(' ');
	return failure;
}
