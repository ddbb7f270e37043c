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
import { type EarlierTries, earlierTriesOf } from './earlierTries';
import type { Operation } from './operation';
import { runOperation } from './run';

type ItemContext = IExecutePaginationFunctions;

/** Items that n8n starts before any timer: all of a run, or as many as its Batching allows. */
interface Wave {
	/** By the index of the item. */
	contexts: Map<number, ItemContext>;
	isStarting: boolean;
	outcome: Promise<Outcome>;
}

/** What became of the items of a wave, by their index. */
interface Outcome {
	output: Record<number, INodeExecutionData[]>;
	errors: Map<number, unknown>;
	/** Whether nothing more is to be started. */
	isOver: boolean;
}

const NOT_RUN: Outcome = { output: {}, errors: new Map(), isOver: true };

/**
 * The declarative form of an operation, for engines that ignore custom operations: Engine 2.0, n8n's Agents, MCP and
 * older agents. n8n's routing calls it for each item, but starts all items without waiting for one, so that they can be
 * put together again into one run.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	const latest = new WeakMap<IExecuteData, Wave>();

	async function runItem(this: ItemContext): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const { output, errors } = await joinWave(operation, latest, this).outcome;
		if (errors.has(itemIndex)) throw errors.get(itemIndex);
		return output[itemIndex] ?? [];
	}
	const { method, path } = operation.request;
	return {
		// The same request in n8n's terms; the function below fills in the class.
		request: { method, url: path },
		// n8n passes a request to a function only as pagination.
		send: { paginate: true },
		operations: { pagination: runItem },
	};
}

/** Adds an item to its wave. All calls of an agent have the same execute data and index; each is a wave of its own. */
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
	const wave = startWave(operation, contexts, isNextOfRun ? before.outcome : undefined);
	latest.set(executeData, wave);
	return wave;
}

function startWave(
	operation: Operation,
	contexts: Wave['contexts'],
	before?: Promise<Outcome>,
): Wave {
	const run = async () => {
		await sleep(0);
		wave.isStarting = false;
		return (await before)?.isOver ? NOT_RUN : await runWave(operation, contexts);
	};
	const wave: Wave = { contexts, isStarting: true, outcome: run() };
	return wave;
}

async function runWave(operation: Operation, contexts: Wave['contexts']): Promise<Outcome> {
	const first = contexts.values().next().value!;
	const items = [...contexts].map(([itemIndex, context]) => ({
		itemIndex,
		json: context.getInputData().json,
		context,
		get: (name: string): unknown => context.getNodeParameter(name, null as unknown as object),
	}));
	try {
		if (isCutShort(first, items.length)) return NOT_RUN;
		const output = await runOperation(operation, {
			items,
			readCredential: async (itemIndex) => await readCredential(contexts.get(itemIndex)!),
			earlierTries: triesOf(first),
			isPartOfRun: (inputItems(first)?.length ?? 0) > items.length,
			// n8n's routing has no hints.
			showHint: () => {},
		});
		const byItem = groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
		return { output: byItem, errors: new Map(), isOver: false };
	} catch (error) {
		// The other items are without output, but n8n's routing then shows the error alone.
		const { itemIndex = -1 } = (error as { context?: { itemIndex?: number } }).context ?? {};
		const failed = contexts.has(itemIndex) ? [itemIndex] : [...contexts.keys()];
		return { ...NOT_RUN, errors: new Map(failed.map((index) => [index, error])) };
	}
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
function triesOf(first: ItemContext): EarlierTries {
	if (inputItems(first)) return earlierTriesOf(first.getExecuteData());
	return earlierTriesOf(toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json));
}
