import { DateTime } from 'luxon';
import type {
	IExecuteFunctions,
	IExecutePaginationFunctions,
	INodeExecutionData,
	INodePropertyRouting,
} from 'n8n-workflow';
import { createCredentialReader, readCredential } from '../connection/credential';
import { createParameterReader } from '../fields/parameters';
import { earlierTriesOf, noEarlierTries } from './earlierTries';
import type { Operation } from './operation';
import { openSession } from '../connection/session';

/** What n8n runs instead of the routing of a declarative node. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Runs an operation for all input items at once, so that they share checks, limits and batches. */
export function toCustomOperation(operation: Operation): CustomOperation {
	return async function () {
		const now = DateTime.now().setZone(this.getTimezone());
		const read = createParameterReader(this);
		const requestOptions = (): unknown => this.getNodeParameter('requestOptions', 0, {});
		const showHint = (message: string) =>
			this.addExecutionHints({ message, location: 'outputPane' });
		const output = await operation.execute({
			node: this.getNode(),
			request: operation.request,
			continueOnFail: this.continueOnFail(),
			items: this.getInputData().map(({ json }, itemIndex) => ({
				itemIndex,
				json,
				parameters: { now, get: (name) => read(name, itemIndex) },
			})),
			earlierTries: earlierTriesOf(this.getExecuteData()),
			session: openSession(this, requestOptions, createCredentialReader(this)),
			showHint,
		});
		const advice = operation.advise?.(output);
		if (advice !== undefined) showHint(advice);
		return [output];
	};
}

/**
 * The declarative form of an operation, for one item. n8n's routing runs it in tool calls, where engines do not
 * look at custom operations. Each call is a run of its own, although calls of one agent share their execute data.
 */
export function toRouting(operation: Operation): INodePropertyRouting {
	async function runItem(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		const now = DateTime.now().setZone(this.getTimezone());
		const itemIndex = this.getItemIndex();
		const { json } = this.getInputData();
		const get = (name: string): unknown => this.getNodeParameter(name, null as unknown as object);
		const requestOptions = (): unknown => this.getNodeParameter('requestOptions', {});
		return await operation.execute({
			node: this.getNode(),
			request: operation.request,
			continueOnFail: this.continueOnFail(),
			items: [{ itemIndex, json, parameters: { now, get } }],
			earlierTries: noEarlierTries(),
			session: openSession(this, requestOptions, async () => await readCredential(this)),
			showHint: () => {},
		});
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
