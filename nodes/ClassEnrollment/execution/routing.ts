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
	const journal = journalOf(first);
	const now = startOf(journal, first.getTimezone());
	const items = [...contexts].map(([itemIndex, context]): InputItem => {
		const { json } = context.getInputData();
		return { itemIndex, json, now, get: (name) => context.getNodeParameter(name, null) };
	});
	assertAllStarted(first, items.at(-1)!.itemIndex);
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
 * Throws if n8n has not started the items after the last one: an expression of item 3 failed, n8n has shown its error, and items 0 to 2,
 * which wait here, must not be sent any more. n8n ignores the error of this function.
 */
function assertAllStarted(first: ItemContext, last: number): void {
	const node = first.getNode();
	// With "continue on fail", no expression stops n8n. In the other cases, there is one item.
	if (first.continueOnFail() || node.executeOnce || isToolCall(first)) return;
	const next = last + 1;
	if (next >= inputItems(first).length) return;
	const { size, intervalMs } = readBatching(first.getNodeParameter('requestOptions', {}));
	// n8n's Batching starts it later.
	if (intervalMs > 0 && next % size === 0) return;
	throw new NodeOperationError(node, 'n8n could not start this item', { itemIndex: next });
}

/** A call of an agent is known by its arguments, an object that Retry On Fail hands over again. */
function journalOf(first: ItemContext): Journal {
	if (!isToolCall(first)) return openJournal(first.getExecuteData());
	return openJournal(toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json));
}

/** Whether an agent calls the node: then the execute data, and the items in it, are the agent's. */
function isToolCall(context: ItemContext): boolean {
	return inputItems(context)[context.getItemIndex()] !== context.getInputData();
}

const inputItems = (context: ItemContext): INodeExecutionData[] =>
	context.getExecuteData().data.main?.[0] ?? [];
