import { groupBy } from 'lodash';
import {
	type IDataObject,
	type INodeExecutionData,
	type INodePropertyRouting,
	type IPairedItemData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { readCredential, readEach } from '../connection/credential';
import { type Journal, openJournal, startOf } from '../journal/journal';
import type { NodeError } from '../operation/nodeError';
import type { InputItem, Operation } from '../operation/operation';
import { toObject } from '../values/json';
import {
	createCollector,
	type ItemContext,
	type ItemContexts,
	type OutputByItem,
} from './collector';
import { runOperation } from './run';

/**
 * The declarative form of an operation, for engines that ignore custom operations: Engine 2.0, n8n's Agents, MCP and
 * older agents. n8n's routing calls it for each item; the items run together all the same.
 *
 * A node with `execute` needs none of this. But then it is not declarative: n8n adds no Request Options to it.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	const runWithOthers = createCollector(async (contexts) => await runItems(operation, contexts));

	async function runItem(this: ItemContext): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const output = await runWithOthers(this).catch((error: Partial<NodeError>): OutputByItem => {
			const failedIndex = error.context?.itemIndex ?? itemIndex;
			// n8n blames the first item that throws: so only the one that failed does. The others' output is not shown.
			if (failedIndex !== itemIndex) return {};
			throw error;
		});
		return output[itemIndex] ?? [];
	}
	const { method, path } = operation.endpoint;
	return {
		// In n8n's terms, but n8n calls `runItem` in its place.
		request: { method, url: path },
		// n8n passes a request to a function only as pagination.
		send: { paginate: true },
		operations: { pagination: runItem },
	};
}

/** Runs an operation for items that n8n's routing has started together. */
async function runItems(operation: Operation, contexts: ItemContexts): Promise<OutputByItem> {
	const first = contexts.values().next().value!;
	const journal = journalOf(first);
	const now = startOf(journal, first.getTimezone());
	const items = [...contexts].map(([itemIndex, context]): InputItem => {
		const { json } = context.getInputData();
		return { itemIndex, json, now, get: (name) => context.getNodeParameter(name, null) };
	});
	requireComplete(first, items.at(-1)!.itemIndex + 1);
	const read = async (itemIndex: number) => await readCredential(contexts.get(itemIndex)!);
	const output = await runOperation(operation, {
		context: first,
		items,
		credentialOf: await readEach(contexts.keys(), read),
		journal,
	});
	return groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
}

/**
 * Throws if n8n has stopped before it started all items: an expression of item 3 fails, the node has failed with that error,
 * and items 0 to 2, which wait here, must not be sent any more. n8n ignores this error. With "continue on fail", or after a
 * full batch of Batching, they are complete.
 */
function requireComplete(first: ItemContext, next: number): void {
	const length = inputItems(first)?.length ?? 0;
	const node = first.getNode();
	if (first.continueOnFail() || next >= length || node.executeOnce) return;
	const { batching } = first.getNodeParameter('requestOptions', {}) as IDataObject;
	const { batchSize = 1, batchInterval = 0 } = toObject(toObject(batching).batch);
	const endsBatch = next % Math.max(1, Number(batchSize)) === 0;
	if (Number(batchInterval) > 0 && endsBatch) return;
	throw new NodeOperationError(node, 'n8n could not start this item', { itemIndex: next });
}

/** A call of an agent is known by its arguments, an object that Retry On Fail hands over again. */
function journalOf(first: ItemContext): Journal {
	if (inputItems(first)) return openJournal(first.getExecuteData());
	return openJournal(toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json));
}

/** The node's input items; undefined in a tool call: its execute data is the agent's, so its item is not among them. */
function inputItems(first: ItemContext): INodeExecutionData[] | undefined {
	const items = first.getExecuteData().data.main?.[0] ?? [];
	return items[first.getItemIndex()] === first.getInputData() ? items : undefined;
}
