import groupBy from 'lodash/groupBy';
import {
	type IExecuteData,
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodePropertyRouting,
	type IPairedItemData,
	NodeConnectionTypes,
	sleep,
} from 'n8n-workflow';
import { readCredential } from '../connection/credential';
import { toObject } from '../values/json';
import { type Journal, openJournal } from '../journal/journal';
import type { Operation } from '../operation/operation';
import { runOperation } from './run';

type ItemContext = IExecutePaginationFunctions;

/**
 * Items that n8n starts before any timer: all of a run, or a batch of its Batching. It takes items until the next timer,
 * waits for the wave before it, and runs them together, unless that one has ended the run.
 */
interface Wave {
	/** By the index of the item. */
	contexts: Map<number, ItemContext>;
	isStarting: boolean;
	/** By the index of the item; undefined if nothing was sent. Then, or if it fails, no later wave of the run is sent. */
	output: Promise<Record<number, INodeExecutionData[]> | undefined>;
}

/**
 * The declarative form of an operation, for engines that ignore custom operations: Engine 2.0, n8n's Agents, MCP and
 * older agents. n8n's routing calls it for each item, but starts all items without waiting for one, so that they can be
 * put together again into one run.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	const latest = new WeakMap<IExecuteData, Wave>();

	async function runItem(this: ItemContext): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const { contexts, output } = joinWave(operation, latest, this);
		const byItem = await output.catch((error: { context?: { itemIndex?: number } }) => {
			const { itemIndex: failedIndex = itemIndex } = error.context ?? {};
			// The other items are without output, but n8n's routing then shows the error alone.
			if (failedIndex !== itemIndex && contexts.has(failedIndex)) return undefined;
			throw error;
		});
		return byItem?.[itemIndex] ?? [];
	}
	const { method, path } = operation.endpoint;
	return {
		// The same request in n8n's terms; the function below fills in the class.
		request: { method, url: path },
		// n8n passes a request to a function only as pagination.
		send: { paginate: true },
		operations: { pagination: runItem },
	};
}

/**
 * Adds an item to the wave that is starting, or to a new one. Item 0 begins a node run, or is a call of an agent: all its
 * calls have the same execute data.
 */
function joinWave(
	operation: Operation,
	latest: WeakMap<IExecuteData, Wave>,
	context: ItemContext,
): Wave {
	const executeData = context.getExecuteData();
	const itemIndex = context.getItemIndex();
	const before = itemIndex > 0 ? latest.get(executeData) : undefined;
	if (before?.isStarting) {
		before.contexts.set(itemIndex, context);
		return before;
	}
	const contexts = new Map([[itemIndex, context]]);
	const output = sleep(0).then(async () => {
		wave.isStarting = false;
		const isOver = before && !(await before.output.catch(() => undefined));
		return isOver ? undefined : await runWave(operation, contexts);
	});
	const wave: Wave = { contexts, isStarting: true, output };
	latest.set(executeData, wave);
	return wave;
}

/** Runs an operation for the items of a wave; returns its output by item, undefined if nothing must be sent. */
async function runWave(operation: Operation, contexts: Wave['contexts']) {
	const first = contexts.values().next().value!;
	const items = [...contexts].map(([itemIndex, context]) => ({
		itemIndex,
		json: context.getInputData().json,
		get: (name: string): unknown => context.getNodeParameter(name, null as unknown as object),
	}));
	if (isCutShort(first, items.at(-1)!.itemIndex + 1)) return undefined;
	const output = await runOperation(operation, {
		context: first,
		items,
		readCredential: async (itemIndex) => await readCredential(contexts.get(itemIndex)!),
		journal: journalOf(first),
	});
	return groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
}

/** The input items of the node; undefined in a tool call. */
function inputItems(first: ItemContext): INodeExecutionData[] | undefined {
	const items = first.getExecuteData().data.main?.[0] ?? [];
	return items[first.getItemIndex()] === first.getInputData() ? items : undefined;
}

/**
 * Whether n8n could not start the next item, as where an expression fails, since it pauses only after a batch. Without
 * "continue on fail" it has then failed the node already, and nothing must be sent.
 */
function isCutShort(first: ItemContext, next: number): boolean {
	const { length = 0 } = inputItems(first) ?? [];
	if (first.continueOnFail() || next >= length || first.getNode().executeOnce) return false;
	const { batching } = first.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 1, batchInterval = 0 } = batching?.batch ?? {};
	return batchInterval <= 0 || next % Math.max(1, batchSize) > 0;
}

/** Under Retry On Fail, a call of an agent is made again with the same arguments: an object that no other call has. */
function journalOf(first: ItemContext): Journal {
	if (inputItems(first)) return openJournal(first.getExecuteData());
	return openJournal(toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json));
}
