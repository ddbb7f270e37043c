import memoize from 'lodash/memoize';
import { DateTime } from 'luxon';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';
import { createCredentialReader, type ReadCredential } from '../connection/credential';
import { openSession, type RunContext } from '../connection/session';
import { createParameterReader, type ItemParameters } from '../fields/parameters';
import { CREDENTIAL_TYPE } from '../transport/http';
import {
	type EarlierTries,
	earlierTriesOf,
	isFirstTry,
	parametersHashOf,
	toRecord,
} from '../journal/journal';
import type { InputItem, Operation, OperationRun } from '../operation/operation';

/** What n8n runs instead of the routing of a declarative node. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** The items that n8n has started together, and what is particular to the way in which it runs the node. */
export interface StartedItems extends Pick<
	OperationRun,
	'earlierTries' | 'isPartOfRun' | 'showHint'
> {
	/** Of all items, or of the first one. */
	context: RunContext;
	items: Array<Omit<InputItem, 'parameters'> & Pick<ItemParameters, 'get'>>;
	readCredential: ReadCredential;
}

/** Runs an operation for items that n8n has started together. */
export async function runOperation(
	operation: Operation,
	{ context, items, readCredential, ...started }: StartedItems,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	const timezone = context.getTimezone();
	const now = DateTime.fromMillis(started.earlierTries.startedAt, { zone: timezone });
	const output = await operation.execute({
		...started,
		node,
		operation,
		continueOnFail: context.continueOnFail(),
		items: items.map(({ itemIndex, json, get }) => ({ itemIndex, json, parameters: { now, get } })),
		parametersHash: parametersHashOf(node, timezone),
		session: openSession(context, items[0]!.get, readCredential),
	});
	const hints = operation.hints?.map((hint) => hint(output)) ?? [];
	for (const hint of hints) if (hint !== undefined) started.showHint(hint);
	return output;
}

/** Runs an operation for all input items at once, so that they share checks, limits and batches. */
export function toCustomOperation(operation: Operation): CustomOperation {
	return async function () {
		const read = createParameterReader(this);
		const items = this.getInputData().map(({ json }, itemIndex) => ({
			itemIndex,
			json,
			get: (name: string) => read(name, itemIndex),
		}));
		return await withEarlierTries(this, async (earlierTries) => [
			await runOperation(operation, {
				context: this,
				items,
				readCredential: createCredentialReader(
					async (itemIndex) => await this.getCredentials(CREDENTIAL_TYPE, itemIndex),
				),
				earlierTries,
				isPartOfRun: false,
				// Each once, however many items it applies to.
				showHint: memoize((message) => this.addExecutionHints({ message, location: 'outputPane' })),
			}),
		]);
	};
}

/**
 * Runs with what an earlier, failed execution has done, if this is n8n's Retry of it, and lets the execution keep what
 * was done if it fails.
 */
async function withEarlierTries<Result>(
	context: IExecuteFunctions,
	run: (tries: EarlierTries) => Promise<Result>,
): Promise<Result> {
	const executeData = context.getExecuteData();
	// An agent may mean to do the same once more.
	if (context.getNode().rewireOutputLogTo) return await run(earlierTriesOf(executeData));
	const isFirst = context.getMode() !== 'retry' && isFirstTry(earlierTriesOf(executeData));
	const saved = isFirst ? undefined : takeSaved(context);
	const tries = earlierTriesOf(executeData, saved);
	let hasFailed = true;
	try {
		const output = await run(tries);
		hasFailed = false;
		return output;
	} finally {
		const record = tries.isUnreadable ? saved : toRecord(tries);
		if (hasFailed && !isFirstTry(tries)) context.getContext('node').earlierTries = record;
	}
}

/** Removes what was saved, so that no later round of a loop takes it for its own. */
function takeSaved(context: IExecuteFunctions): unknown {
	const saved = context.getContext('node');
	const { earlierTries } = saved;
	delete saved.earlierTries;
	return earlierTries;
}
