import groupBy from 'lodash/groupBy';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { identityOf } from '../fields/identity';
import type { ItemParameters } from '../fields/parameters';
import type { Client } from '../transport/client';
import { asUnknown, mayHaveChanged } from '../transport/serviceError';
import {
	type Change,
	type EarlierTries,
	isFirstTry,
	isUnknown,
	keyOf,
	noteDone,
	outputIfDone,
} from './earlierTries';
import { formatRanges } from './formatRanges';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { Execute, OperationRun } from './operation';
import { errorItem, outputItem } from './output';
import { startEach } from './startEach';

/** What to do for an item whose parameters passed all checks. */
export interface PreparedItem {
	/** What the item changes; undefined for reads. A retry does not repeat a change. */
	change?: Omit<Change, 'itemIndex'>;
	/** Items with the same subject, such as a student, are performed one after another, in order. */
	subject?: string;
	/** Returns the JSON of the output items. */
	perform: (client: Client) => Promise<IDataObject[]>;
}

/**
 * Checks the parameters of one item, before any item is performed.
 * @throws InvalidValueError if a parameter cannot be used
 */
export type PrepareItem = (parameters: ItemParameters, run: OperationRun) => PreparedItem;

interface PendingItem extends Omit<PreparedItem, 'change'> {
	/** Its index among the items of this run; in routing, not the same as itemIndex. */
	position: number;
	itemIndex: number;
	client: Client;
	change?: Change;
	isDone?: true;
}

/** What came of the items so far. */
interface Results {
	/** The output of each item that was processed, by its position. */
	output: Array<INodeExecutionData[] | undefined>;
	/** Whether an item failed. */
	hasFailed?: true;
	/** The error that ended the run. */
	failure?: NodeError;
}

/**
 * An operation that processes each input item separately. All items are checked before the first request. An item
 * that fails becomes an error item under "continue on fail"; otherwise nothing more is started and its error is thrown.
 */
export function eachItem(prepare: PrepareItem): Execute {
	return async (run) => {
		const results: Results = { output: new Array(run.items.length) };
		const pending = await prepareItems(prepare, run, results);
		if (results.failure) throw withNothingSent(results.failure, run);

		const groups = groupBy(pending, ({ subject, position }) => subject ?? position);
		await startEach(Object.values(groups), run.session, async (group) => {
			for (const item of group) {
				try {
					const made = await item.perform(item.client);
					results.output[item.position] = made.map((json) => outputItem(json, item.itemIndex));
					item.isDone = true;
				} catch (error) {
					fail(run, results, noteIfUnknown(error, item, run.earlierTries), item.position);
				}
			}
		});
		// n8n only tries again if something failed.
		if (results.hasFailed || run.isWave) noteAllDone(run.earlierTries, results, pending);
		if (results.failure) throw withProgress(results.failure, run, results.output, pending);
		return results.output.flatMap((items) => items ?? []);
	};
}

/** Checks all items; returns those that are to be performed. */
async function prepareItems(
	prepare: PrepareItem,
	run: OperationRun,
	results: Results,
): Promise<PendingItem[]> {
	const pending: PendingItem[] = [];
	for (const [position, { itemIndex, parameters }] of run.items.entries()) {
		try {
			const prepared = prepare(parameters, run);
			const client = await run.session.clientFor(itemIndex);
			const change = prepared.change && { ...prepared.change, itemIndex };
			const done = change && outputIfDone(run.earlierTries, change);
			if (done) results.output[position] = [done];
			else pending.push({ ...prepared, position, itemIndex, client, change });
		} catch (error) {
			fail(run, results, error, position);
			if (results.failure) break;
		}
	}
	return pending;
}

/** Makes an error item under "continue on fail"; otherwise ends the run with the first error. */
function fail(run: OperationRun, results: Results, error: unknown, position: number): void {
	const { itemIndex, parameters } = run.items[position]!;
	results.hasFailed = true;
	if (run.continueOnFail) {
		const described = describeError(error, `item ${itemIndex}`);
		results.output[position] = [errorItem(run, described, itemIndex, () => identityOf(parameters))];
	} else {
		run.session.stop();
		results.failure ??= toNodeError(run.node, error, itemIndex);
	}
}

/** Keeps the changes that were made for the next try. */
function noteAllDone(tries: EarlierTries, { output }: Results, pending: PendingItem[]): void {
	for (const { change, isDone, position } of pending) {
		if (change && isDone) noteDone(tries, change, output[position]![0]!);
	}
}

/** Notes a change that may have been made; returns the error, which says so. */
function noteIfUnknown(error: unknown, { change }: PendingItem, tries: EarlierTries): unknown {
	if (!change) return error;
	if (mayHaveChanged(error)) tries.unknown.add(keyOf(change));
	return isUnknown(tries, change) ? asUnknown(error) : error;
}

function withNothingSent(failure: NodeError, run: OperationRun): NodeError {
	if (run.items.length > 1 && isFirstTry(run)) {
		failure.description = `${failure.description ?? ''} Nothing was sent.`.trim();
	}
	return failure;
}

function withProgress(
	failure: NodeError,
	{ items, earlierTries }: OperationRun,
	output: Array<INodeExecutionData[] | undefined>,
	pending: PendingItem[],
): NodeError {
	if (items.length === 1) return failure;
	const done = items.filter((_, position) => output[position]);
	const unclear = pending.filter(
		({ position, change }) => !output[position] && change && isUnknown(earlierTries, change),
	);
	const rangesOf = (some: Array<{ itemIndex: number }>) =>
		formatRanges(some.map(({ itemIndex }) => itemIndex));
	const parts = [
		failure.description,
		done.length === 0
			? 'No items were processed.'
			: `Processed ${done.length} of ${items.length} items (${rangesOf(done)}).`,
		unclear.length === 0 ? '' : `Unknown whether processed: ${rangesOf(unclear)}.`,
	];
	failure.description = parts.filter(Boolean).join(' ');
	return failure;
}
