import { groupBy } from 'lodash';
import {
	type INodeExecutionData,
	type INodePropertyRouting,
	type IPairedItemData,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { readCredential, readEach } from '../connection/credential';
import { readBatching } from '../fields/requestOptions';
import { openJournal } from '../journal/journal';
import type { NodeError } from '../operation/nodeError';
import type { Operation } from '../operation/operation';
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
 * older agents. n8n's routing calls it for each item; the items run together all the same:
 *
 *     runItem(0)   the collector opens a group
 *     runItem(1)   joins it; n8n has not waited for anything yet
 *     timer        runItems([0, 1]): the operation runs, once
 *     runItem(0)   returns the output of item 0, or throws if this item failed
 *     runItem(1)   likewise
 *
 * A node with `execute` needs none of this. But then it is not declarative: n8n adds no Request Options to it.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	const runWithOthers = createCollector(async (contexts) => await runItems(operation, contexts));

	async function runItem(this: ItemContext): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		return await runWithOthers(this).catch((error: Partial<NodeError>) => {
			const failedIndex = error.context?.itemIndex ?? itemIndex;
			// n8n shows the first item that throws, and no output: so only the one that failed throws.
			if (failedIndex !== itemIndex) return [];
			throw error;
		});
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
	// A call of an agent is known by its arguments, an object that Retry On Fail hands over again.
	const journal = openJournal(
		isToolCall(first)
			? toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json)
			: first.getExecuteData(),
	);
	const items = [...contexts].map(([itemIndex, context]) => {
		const { json } = context.getInputData();
		return { itemIndex, json, get: (name: string) => context.getNodeParameter(name, null) };
	});
	const next = items.at(-1)!.itemIndex + 1;
	if (failedToStart(first, next)) {
		// n8n has ended the node with the error of that item. What waits here must not be sent any more.
		throw new NodeOperationError(first.getNode(), 'An item was not started', { itemIndex: next });
	}
	const read = async (itemIndex: number) => await readCredential(contexts.get(itemIndex)!);
	const credentialOf = await readEach(contexts.keys(), read);
	const output = await runOperation(operation, first, items, credentialOf, journal);
	return groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
}

/** Whether n8n could not start an item, since one of its expressions failed. Otherwise, there is no such item, or it is in the next batch. */
function failedToStart(context: ItemContext, itemIndex: number): boolean {
	// With "continue on fail", n8n goes on after such an item.
	if (context.continueOnFail() || context.getNode().executeOnce || isToolCall(context))
		return false;
	const itemCount = context.getExecuteData().data.main?.[0]?.length ?? 0;
	if (itemIndex >= itemCount) return false;
	const { size, intervalMs } = readBatching(context.getNodeParameter('requestOptions', {}));
	const beginsBatch = intervalMs > 0 && itemIndex % size === 0;
	return !beginsBatch;
}

/** Whether an agent calls the node: then n8n hands over the execute data of the agent. */
function isToolCall(context: ItemContext): boolean {
	return context.getExecuteData().node.name !== context.getNode().name;
}
