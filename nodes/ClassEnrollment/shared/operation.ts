import { DateTime } from 'luxon';
import {
	type IDataObject,
	type IExecuteFunctions,
	type IExecutePaginationFunctions,
	type INode,
	type INodeExecutionData,
	type INodePropertyRouting,
	NodeOperationError,
	type PreSendAction,
} from 'n8n-workflow';
import { parameterReader } from './parameters';
import type { N8nContext, ServiceRequest } from './transport/exchange';
import { readRequestSettings } from './transport/requestOptions';
import { quote } from './values/invalidValue';
import { type Connection, connect } from './transport/send';

/** Method and path of an operation; `{id}` stands for the class. */
export interface Endpoint {
	method: ServiceRequest['method'];
	url: string;
}

/** The parameters of one input item. */
export interface ItemParameters {
	/** When the run began, in the workflow's time zone. */
	now: DateTime;
	/** Evaluates a parameter; null where it is not set. */
	get: (name: string) => unknown;
}

export interface InputItem {
	itemIndex: number;
	json: IDataObject;
	parameters: ItemParameters;
}

/** What n8n hands to an operation, the same for both ways in which n8n runs it. */
export interface OperationInput {
	node: INode;
	items: InputItem[];
	/** Whether an item that fails becomes an error item, so that the others go on. */
	continueOnFail: boolean;
	/** Reads the Request Options and opens the connection that all items share. */
	connect: () => Promise<Connection>;
	/** Shows the user advice beside the output. */
	hint: (message: string) => void;
}

export type Operation = (input: OperationInput) => Promise<INodeExecutionData[]>;

/** What n8n runs instead of the routing of a declarative node. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** Addresses a request to an endpoint, for one class where its path names one. */
export function requestTo(
	{ method, url }: Endpoint,
	classId = '',
): Pick<ServiceRequest, 'method' | 'path'> {
	return { method, path: url.replace('{id}', () => encodeURIComponent(classId)) };
}

/** Runs an operation for all input items at once, so that they share checks, limits and batches. */
export function asCustomOperation(operation: Operation): CustomOperation {
	return async function () {
		const now = DateTime.now().setZone(this.getTimezone());
		const get = parameterReader(this);
		const output = await operation({
			...commonInput(this, () => this.getNodeParameter('requestOptions', 0, {})),
			items: this.getInputData().map(({ json }, itemIndex) => ({
				itemIndex,
				json,
				parameters: { now, get: (name) => get(name, itemIndex) },
			})),
			hint: (message) => this.addExecutionHints({ message, location: 'outputPane' }),
		});
		return [output];
	};
}

/**
 * The declarative form of an operation, for one item. n8n's routing runs it in tool calls, where engines do not
 * look at custom operations.
 */
export function asRouting({ method, url }: Endpoint, operation: Operation): INodePropertyRouting {
	async function runItem(this: IExecutePaginationFunctions): Promise<INodeExecutionData[]> {
		return await operation({
			...commonInput(this, () => this.getNodeParameter('requestOptions', {})),
			items: [
				{
					itemIndex: this.getItemIndex(),
					json: this.getInputData().json,
					parameters: {
						now: DateTime.now().setZone(this.getTimezone()),
						get: (name) => this.getNodeParameter(name, null as unknown as object),
					},
				},
			],
			hint: () => {},
		});
	}
	return {
		request: { method, url },
		// n8n hands the request over to a function only where it counts as pagination.
		send: { paginate: true },
		operations: { pagination: runItem },
	};
}

/**
 * Stops n8n's routing where resource and operation are none of the node's own, such as an expression: n8n would
 * send a request without path or body, and take its answer for a success.
 */
export function refuseOperationsOtherThan(
	operations: Record<string, Record<string, CustomOperation>>,
): PreSendAction {
	return async function (requestOptions) {
		const { resource, operation } = this.getNode().parameters;
		if (operations[String(resource)]?.[String(operation)]) return requestOptions;
		throw new NodeOperationError(
			this.getNode(),
			`'Operation' cannot be ${quote(operation ?? '')} of the resource ${quote(resource ?? '')}`,
			{ itemIndex: this.getItemIndex(), description: 'Choose one from the list.' },
		);
	};
}

function commonInput(
	context: N8nContext & (IExecuteFunctions | IExecutePaginationFunctions),
	requestOptions: () => unknown,
): Omit<OperationInput, 'items' | 'hint'> {
	return {
		node: context.getNode(),
		continueOnFail: context.continueOnFail(),
		connect: async () => {
			const settings = readRequestSettings(requestOptions());
			return await connect(context, settings, context.getExecutionCancelSignal());
		},
	};
}
