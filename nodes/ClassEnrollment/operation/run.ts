import { DateTime } from 'luxon';
import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';
import { openClient } from '../fields/client';
import { createParameterReader } from '../fields/parameters';
import type { Operation, OperationRun } from './operation';

/** What n8n runs instead of the routing of a declarative node. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Runs an operation for all input items at once, so that they share checks, limits and batches. */
export function toCustomOperation(operation: Operation): CustomOperation {
	return async function () {
		const now = DateTime.now().setZone(this.getTimezone());
		const read = createParameterReader(this);
		const output = await operation.execute({
			...commonRun(this, operation, () => this.getNodeParameter('requestOptions', 0, {})),
			items: this.getInputData().map(({ json }, itemIndex) => ({
				itemIndex,
				json,
				parameters: { now, get: (name) => read(name, itemIndex) },
			})),
			showHint: (message) => this.addExecutionHints({ message, location: 'outputPane' }),
		});
		return [output];
	};
}

/**
 * The declarative form of an operation, for one item. n8n's routing runs it in tool calls, where engines do not
 * look at custom operations.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	async function runItem(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const now = DateTime.now().setZone(this.getTimezone());
		const get = (name: string): unknown => this.getNodeParameter(name, null as unknown as object);
		return await operation.execute({
			...commonRun(this, operation, () => this.getNodeParameter('requestOptions', {})),
			items: [
				{
					itemIndex: this.getItemIndex(),
					json: this.getInputData().json,
					parameters: { now, get },
				},
			],
			showHint: () => {},
		});
	}
	const { method, path } = operation.request;
	return {
		request: { method, url: path },
		// n8n hands the request over to a function only where it counts as pagination.
		send: { paginate: true },
		operations: { pagination: runItem },
	};
}

function commonRun(
	context: IExecuteFunctions | IExecutePaginationFunctions,
	{ request }: Operation,
	requestOptions: () => unknown,
): Omit<OperationRun, 'items' | 'showHint'> {
	return {
		node: context.getNode(),
		request,
		continueOnFail: context.continueOnFail(),
		openClient: async () =>
			await openClient(context, requestOptions(), context.getExecutionCancelSignal()),
	};
}
