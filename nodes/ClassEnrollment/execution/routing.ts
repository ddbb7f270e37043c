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

/** Items that n8n starts before any timer: all of a run, or as many as its Batching allows. */
interface Wave {
	/** By the index of the item. */
	contexts: Map<number, ItemContext>;
	isStarting: boolean;
	/** By the index of the item. Without it, no further wave of the same run starts. */
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
 * Adds an item to its wave, or to a new one, which runs when all of its items are there. All calls of an agent have the
 * same execute data and index; each is a wave of its own.
 */
function joinWave(
	operation: Operation,
	latest: WeakMap<IExecuteData, Wave>,
	context: ItemContext,
): Wave {
	const executeData = context.getExecuteData();
	const itemIndex = context.getItemIndex();
	const before = latest.get(executeData);
	if (before?.isStarting && !before.contexts.has(itemIndex)) {
		before.contexts.set(itemIndex, context);
		return before;
	}
	const isNextOfRun = before && itemIndex > [...before.contexts.keys()].at(-1)!;
	const contexts = new Map([[itemIndex, context]]);
	const output = sleep(0).then(async () => {
		wave.isStarting = false;
		const isOver = isNextOfRun && !(await before.output.catch(() => undefined));
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
	if (isCutShort(first, items.length)) return undefined;
	const output = await runOperation(operation, {
		context: first,
		items,
		readCredential: async (itemIndex) => await readCredential(contexts.get(itemIndex)!),
		journal: journalOf(first),
		// n8n's routing has no hints.
		showHint: () => {},
	});
	return groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
}

/** The input items of the node; undefined in a tool call. */
function inputItems(first: ItemContext): INodeExecutionData[] | undefined {
	const items = first.getExecuteData().data.main?.[0] ?? [];
	return items[first.getItemIndex()] === first.getInputData() ? items : undefined;
}

/**
 * Whether n8n could not start all items of a wave, as where an expression fails. Without "continue on fail" it has then
 * failed the node already, and nothing must be sent.
 */
function isCutShort(first: ItemContext, started: number): boolean {
	const items = inputItems(first);
	if (!items || first.continueOnFail()) return false;
	const { batching } = first.getNodeParameter('requestOptions', {}) as {
		batching?: { batch?: { batchSize?: number; batchInterval?: number } };
	};
	const { batchSize = 1, batchInterval = 0 } = batching?.batch ?? {};
	const total = first.getNode().executeOnce ? 1 : items.length;
	const size = batchInterval > 0 ? Math.max(1, batchSize) : total;
	return started < Math.min(size, total - first.getItemIndex());
}

/** Under Retry On Fail, a call of an agent is made again with the same arguments: an object that no other call has. */
function journalOf(first: ItemContext): Journal {
	if (inputItems(first)) return openJournal(first.getExecuteData());
	return openJournal(toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json));
}
