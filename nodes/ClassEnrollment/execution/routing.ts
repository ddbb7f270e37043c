import { groupBy } from 'lodash';
import {
	type IDataObject,
	type IExecuteData,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodePropertyRouting,
	type IPairedItemData,
	NodeConnectionTypes,
	NodeOperationError,
	sleep,
} from 'n8n-workflow';
import { readCredential } from '../connection/credential';
import { toObject } from '../values/json';
import { type Journal, openJournal } from '../journal/journal';
import type { NodeError } from '../operation/nodeError';
import type { Operation } from '../operation/operation';
import { runOperation } from './run';

type ItemContext = IExecutePaginationFunctions;

/**
 * Items that n8n starts with no timer in between: all of a run, or a batch of its Batching. A wave collects them until the
 * next timer, waits for the wave before it, and runs them together. If that one has failed, it fails, too, and sends nothing.
 */
interface Wave {
	/** By the index of the item. */
	contexts: Map<number, ItemContext>;
	isCollecting: boolean;
	/** Fails with the error of one item, of this wave or of one before it. */
	output: Promise<OutputByItem>;
}

/** By the index of the item. */
type OutputByItem = Record<number, INodeExecutionData[]>;

/**
 * The declarative form of an operation, for engines that ignore custom operations: Engine 2.0, n8n's Agents, MCP and
 * older agents. n8n's routing calls it for each item, but starts all items without waiting for one, so that they can be
 * put together again into one run.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	const latest = new WeakMap<IExecuteData, Wave>();

	async function runItem(this: ItemContext): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const { output } = joinWave(operation, latest, this);
		const byItem = await output.catch((error: Partial<NodeError>): OutputByItem => {
			const failedIndex = error.context?.itemIndex ?? itemIndex;
			// n8n blames the first item that throws: so only the one that failed does. The others' output is not shown.
			if (failedIndex !== itemIndex) return {};
			throw error;
		});
		return byItem[itemIndex] ?? [];
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

/**
 * Adds an item to the wave that is starting, or to a new one, which waits for the one before it. Only item 0 waits for none:
 * it begins a node run, or it is a tool call. All calls of an agent share their execute data, but are no waves of one run.
 */
function joinWave(
	operation: Operation,
	latest: WeakMap<IExecuteData, Wave>,
	context: ItemContext,
): Wave {
	const executeData = context.getExecuteData();
	const itemIndex = context.getItemIndex();
	const previous = itemIndex > 0 ? latest.get(executeData) : undefined;
	if (previous?.isCollecting) {
		previous.contexts.set(itemIndex, context);
		return previous;
	}
	const contexts = new Map([[itemIndex, context]]);
	// When this timer fires, `wave` is there, and n8n has started all of its items.
	const output = sleep(0).then(async () => {
		wave.isCollecting = false;
		await previous?.output;
		return await runWave(operation, contexts);
	});
	const wave: Wave = { contexts, isCollecting: true, output };
	latest.set(executeData, wave);
	return wave;
}

/** Runs an operation for the items of a wave; returns its output by item. */
async function runWave(operation: Operation, contexts: Wave['contexts']): Promise<OutputByItem> {
	const first = contexts.values().next().value!;
	const items = [...contexts].map(([itemIndex, context]) => ({
		itemIndex,
		json: context.getInputData().json,
		get: (name: string): unknown => context.getNodeParameter(name, null),
	}));
	requireComplete(first, items.at(-1)!.itemIndex + 1);
	const output = await runOperation(operation, {
		context: first,
		items,
		readCredential: async (itemIndex) => await readCredential(contexts.get(itemIndex)!),
		journal: journalOf(first),
	});
	return groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
}

/** The node's input items; undefined in a tool call: its execute data is the agent's, so its item is not among them. */
function inputItems(first: ItemContext): INodeExecutionData[] | undefined {
	const items = first.getExecuteData().data.main?.[0] ?? [];
	return items[first.getItemIndex()] === first.getInputData() ? items : undefined;
}

/**
 * n8n starts the items in order, and stops at one of which an expression fails. Without "continue on fail", the node has then
 * failed with that error, but the items before it wait here, and would still be sent. So this throws if the next item belongs
 * to the wave; n8n no longer looks at this error.
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
