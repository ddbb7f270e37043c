import type {
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';
import { readCredential } from '../connection/credential';
import { noEarlierTries } from './earlierTries';
import type { Operation } from './operation';
import { runOperation } from './run';

/**
 * The declarative form of an operation, for one item. n8n's routing runs it in tool calls, where engines do not
 * look at custom operations. Each call is a run of its own, although calls of one agent share their execute data.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	async function runItem(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const item = {
			itemIndex: this.getItemIndex(),
			json: this.getInputData().json,
			context: this,
			get: (name: string): unknown => this.getNodeParameter(name, null as unknown as object),
		};
		const readItsCredential = async () => await readCredential(this);
		return await runOperation(operation, [item], readItsCredential, noEarlierTries());
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
