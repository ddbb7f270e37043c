import groupBy from 'lodash/groupBy';
import {
	type IExecutePaginationFunctions,
	type INodeExecutionData,
	type INodePropertyRouting,
	type IPairedItemData,
	NodeConnectionTypes,
	sleep,
} from 'n8n-workflow';
import { createCredentialReader, type ReadCredential } from '../connection/credential';
import { readRequestSettings } from '../connection/requestOptions';
import { CREDENTIAL_TYPE } from '../transport/http';
import { toObject } from '../values/json';
import { type EarlierTries, earlierTriesOf } from './earlierTries';
import type { Operation } from './operation';
import { runOperation } from './run';

type Contexts = Map<number, IExecutePaginationFunctions>;

/** Items that n8n starts before any timer: all of a run, or as many as its Batching allows. */
interface Wave {
	contexts: Contexts;
	isStarting: boolean;
	outcome: Promise<Outcome>;
}

/** What became of the items of a wave, by their index. */
interface Outcome {
	output: Record<number, INodeExecutionData[]>;
	errors: Map<number, unknown>;
	/** Whether no further wave is to start. */
	isOver: boolean;
}

const OVER: Outcome = { output: {}, errors: new Map(), isOver: true };

/**
 * The declarative form of an operation, for engines that do not look at custom operations: Engine 2.0, n8n's Agents,
 * MCP, older agents. n8n's routing runs it for each item, but starts all of them without waiting: they are put together
 * again into one run.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	const latest = new WeakMap<object, Wave>();

	async function runItem(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const itemIndex = this.getItemIndex();
		const wave = joinWave(operation, latest, this);
		const { output, errors } = await wave.outcome;
		if (errors.has(itemIndex)) throw errors.get(itemIndex);
		return output[itemIndex] ?? [];
	}
	const { method, path } = operation.request;
	return {
		// The same in n8n's words; the function below addresses it to the class.
		request: { method, url: path },
		// n8n hands the request over to a function only if it counts as pagination.
		send: { paginate: true },
		operations: { pagination: runItem },
	};
}

/** The wave that an item belongs to. Each call of an agent has the same execute data and the same index, and is a wave. */
function joinWave(
	operation: Operation,
	latest: WeakMap<object, Wave>,
	context: IExecutePaginationFunctions,
): Wave {
	const executeData = context.getExecuteData();
	const itemIndex = context.getItemIndex();
	const before = latest.get(executeData);
	if (before?.isStarting && !before.contexts.has(itemIndex)) {
		before.contexts.set(itemIndex, context);
		return before;
	}
	const isNext = before && itemIndex > Math.max(...before.contexts.keys());
	const wave = startWave(operation, new Map([[itemIndex, context]]), isNext ? before : undefined);
	latest.set(executeData, wave);
	return wave;
}

function startWave(operation: Operation, contexts: Contexts, before?: Wave): Wave {
	const run = async () => {
		await sleep(0);
		wave.isStarting = false;
		const isOver = (await before?.outcome)?.isOver;
		return isOver ? OVER : await runWave(operation, contexts);
	};
	const wave: Wave = { contexts, isStarting: true, outcome: run() };
	return wave;
}

/**
 * Without "continue on fail", the error belongs to the item that caused it. The others are left without output, but
 * n8n's routing shows the error alone.
 */
async function runWave(operation: Operation, contexts: Contexts): Promise<Outcome> {
	const [[firstIndex, first]] = contexts as unknown as [[number, IExecutePaginationFunctions]];
	const items = [...contexts].map(([itemIndex, context]) => ({
		itemIndex,
		json: context.getInputData().json,
		context,
		get: (name: string): unknown => context.getNodeParameter(name, null as unknown as object),
	}));
	try {
		if (isCutShort(firstIndex, first, contexts.size)) return OVER;
		const output = await runOperation(
			operation,
			items,
			createItemCredentialReader(first, contexts),
			triesOf(firstIndex, first),
		);
		const byItem = groupBy(output, ({ pairedItem }) => (pairedItem as IPairedItemData).item);
		return { output: byItem, errors: new Map(), isOver: false };
	} catch (error) {
		const causedBy = (error as { context?: { itemIndex?: number } }).context?.itemIndex;
		const isOver = !first.continueOnFail();
		const failed = isOver ? [contexts.has(causedBy!) ? causedBy! : firstIndex] : contexts.keys();
		return { output: {}, errors: new Map([...failed].map((index) => [index, error])), isOver };
	}
}

/** The input items of the node; undefined in a tool call. */
function inputItems(
	firstIndex: number,
	first: IExecutePaginationFunctions,
): INodeExecutionData[] | undefined {
	const items = first.getExecuteData().data.main?.[0] ?? [];
	return items[firstIndex] === first.getInputData() ? items : undefined;
}

/**
 * Whether n8n did not start all items of a wave, as where an expression fails. Without "continue on fail" it has then
 * failed the node already, and nothing must be sent.
 */
function isCutShort(
	firstIndex: number,
	first: IExecutePaginationFunctions,
	started: number,
): boolean {
	const items = inputItems(firstIndex, first);
	if (!items || first.continueOnFail()) return false;
	const { batch } = readRequestSettings(first.getNodeParameter('requestOptions', {}));
	const total = first.getNode().executeOnce ? 1 : items.length;
	return started < Math.min(batch.intervalMs > 0 ? batch.size : total, total - firstIndex);
}

/** A call of an agent is tried again with the same arguments, an object that no other call has. */
function triesOf(firstIndex: number, first: IExecutePaginationFunctions): EarlierTries {
	if (inputItems(firstIndex, first)) return earlierTriesOf(first.getExecuteData());
	return earlierTriesOf(toObject(first.getInputData(0, NodeConnectionTypes.AiTool).json));
}

function createItemCredentialReader(
	first: IExecutePaginationFunctions,
	contexts: Contexts,
): ReadCredential {
	return createCredentialReader(async (itemIndex) => {
		const context = contexts.get(itemIndex);
		if (context) return await context.getCredentials(CREDENTIAL_TYPE);
		// No item's index: to find out whether n8n looks the item up, the first context gets it for its own.
		const probe = Object.create(first, { itemIndex: { value: itemIndex } }) as typeof first;
		if (probe.getItemIndex() !== itemIndex) throw new Error('n8n keeps the index elsewhere');
		return await probe.getCredentials(CREDENTIAL_TYPE);
	});
}
