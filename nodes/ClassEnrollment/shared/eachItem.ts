import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { ItemParameters, Operation, OperationInput } from './operation';
import { errorItem, outputItem } from './output';
import { itemError } from './transport/errors';
import type { Send } from './transport/send';
import { inRanges } from './values/ranges';

/** What is done for an item that is known to be valid; gives the JSON of the items that come out. */
type PerformItem = (send: Send, hint: OperationInput['hint']) => Promise<IDataObject[]>;

/**
 * Turns the parameters of one item into what is to be done, without doing it.
 * Throws InvalidValueError where a parameter cannot be used.
 */
export type PrepareItem = (parameters: ItemParameters) => PerformItem;

/**
 * The operation that treats every input item by itself. All items are checked before the first request. An item
 * that fails becomes an error item under "continue on fail"; otherwise nothing more is started and its error is thrown.
 */
export function eachItem(prepare: PrepareItem): Operation {
	return async (input) => {
		const output: INodeExecutionData[][] = input.items.map(() => []);
		const fail = (error: unknown, position: number) => {
			const { itemIndex } = input.items[position]!;
			const shown = itemError(input.node, error, itemIndex);
			if (!input.continueOnFail) throw shown;
			output[position] = [errorItem(shown, itemIndex)];
		};

		const prepared = prepareAll(prepare, input, fail);
		const connection = await input.connect().catch((error: unknown) => {
			prepared.forEach(({ position }) => fail(error, position));
		});
		if (!connection) return output.flat();

		let failure: NodeApiError | NodeOperationError | undefined;
		const done: number[] = [];
		await connection.startEach(prepared, async ({ position, perform }) => {
			const { itemIndex } = input.items[position]!;
			try {
				const results = await perform(connection.send, input.hint);
				output[position] = results.map((json) => outputItem(json, itemIndex));
				done.push(itemIndex);
			} catch (error) {
				if (input.continueOnFail) return fail(error, position);
				connection.stop();
				failure ??= itemError(input.node, error, itemIndex);
			}
		});
		if (failure) throw withProgress(failure, done, input.items.length);
		return output.flat();
	};
}

function prepareAll(
	prepare: PrepareItem,
	{ items }: OperationInput,
	fail: (error: unknown, position: number) => void,
): Array<{ position: number; perform: PerformItem }> {
	const prepared: Array<{ position: number; perform: PerformItem }> = [];
	items.forEach(({ parameters }, position) => {
		try {
			prepared.push({ position, perform: prepare(parameters) });
		} catch (error) {
			fail(error, position);
		}
	});
	return prepared;
}

function withProgress<Failure extends NodeApiError | NodeOperationError>(
	failure: Failure,
	done: number[],
	itemCount: number,
): Failure {
	if (itemCount === 1) return failure;
	const progress =
		done.length === 0
			? 'No item was done.'
			: `Done were ${done.length} of ${itemCount} items: ${inRanges(done.sort((a, b) => a - b))}.`;
	failure.description = [failure.description, progress].filter(Boolean).join(' ');
	return failure;
}
