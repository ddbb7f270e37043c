import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { ItemParameters } from '../fields/parameters';
import type { Send } from '../transport/client';
import { formatRanges } from './formatRanges';
import { type NodeError, describeError, toNodeError } from './nodeError';
import type { Execute, OperationRun } from './operation';
import { errorItem, outputItem } from './output';

/** Does what one item asks for; returns the JSON of the output items. */
export type PerformItem = (send: Send) => Promise<IDataObject[]>;

/**
 * Checks the parameters of one item, before any item is performed.
 * @throws InvalidValueError where a parameter cannot be used
 */
export type PrepareItem = (parameters: ItemParameters, run: OperationRun) => PerformItem;

/**
 * The operation that handles each input item by itself. All items are checked before the first request. An item
 * that fails becomes an error item under "continue on fail"; otherwise nothing more is started and its error is thrown.
 */
export function eachItem(prepare: PrepareItem): Execute {
	return async (run) => {
		const output: INodeExecutionData[][] = run.items.map(() => []);
		const fail = (error: unknown, position: number) => {
			const { itemIndex } = run.items[position]!;
			if (!run.continueOnFail) throw toNodeError(run.node, error, itemIndex);
			output[position] = [errorItem(describeError(error, `item ${itemIndex}`), itemIndex)];
		};

		const prepared: Array<{ position: number; perform: PerformItem }> = [];
		run.items.forEach(({ parameters }, position) => {
			try {
				prepared.push({ position, perform: prepare(parameters, run) });
			} catch (error) {
				fail(error, position);
			}
		});
		const client = await run.openClient().catch((error: unknown) => {
			prepared.forEach(({ position }) => fail(error, position));
		});
		if (!client) return output.flat();

		let failure: NodeError | undefined;
		const done: number[] = [];
		await client.startEach(prepared, async ({ position, perform }) => {
			const { itemIndex } = run.items[position]!;
			try {
				const results = await perform(client.send);
				output[position] = results.map((json) => outputItem(json, itemIndex));
				done.push(itemIndex);
			} catch (error) {
				if (run.continueOnFail) return fail(error, position);
				client.stop();
				failure ??= toNodeError(run.node, error, itemIndex);
			}
		});
		if (failure) throw withProgress(failure, done, run.items.length);
		return output.flat();
	};
}

function withProgress(failure: NodeError, done: number[], itemCount: number): NodeError {
	if (itemCount === 1) return failure;
	const progress =
		done.length === 0
			? 'No items were processed.'
			: `Processed ${done.length} of ${itemCount} items: ${formatRanges(done.sort((a, b) => a - b))}.`;
	failure.description = [failure.description, progress].filter(Boolean).join(' ');
	return failure;
}
