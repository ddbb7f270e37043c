import 'reflect-metadata';
import {
	ExecutionLifecycleHooks,
	getAdditionalKeys,
	PackageDirectoryLoader,
	RoutingNode,
	WorkflowExecute,
} from 'n8n-core';
import {
	createRunExecutionData,
	type ICredentialDataDecryptedObject,
	type ICredentialsHelper,
	type IDataObject,
	type IExecuteFunctions,
	type IHttpRequestOptions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	type INodeTypeDescription,
	type INodeTypes,
	type IRun,
	type IRunExecutionData,
	type IWorkflowExecuteAdditionalData,
	NodeConnectionTypes,
	NodeHelpers,
	Workflow,
} from 'n8n-workflow';
import { parse, stringify } from 'flatted';
import { resolve } from 'node:path';

const NODE_TYPE = 'n8n-nodes-class-enrollment.classEnrollment';
const ITEMS_TYPE = 'test.items';
const LOOP_TYPE = 'test.loop';

/** How n8n runs an operation: as a step of a workflow, or by the routing alone, as for a tool of older engines. */
export type Way = 'step' | 'routing';

export interface RunOptions {
	parameters: INodeParameters;
	items?: IDataObject[];
	/** Its values may be expressions. */
	credential: { baseUrl: unknown; accessToken: unknown };
	/** Called whenever n8n reads the credential. */
	onCredentialRead?: () => void;
	/** The folder of the built package; by default this one. */
	packageFolder?: string;
	onError?: INode['onError'];
	/** Further settings of the node. */
	settings?: Partial<INode>;
	/** Turns on n8n's Retry On Fail, with at most so many tries. */
	maxTries?: number;
	/** Runs the node so many times in a loop, with the same items; without it, there is no loop. */
	rounds?: number;
	timezone?: string;
	/** A failed run to try again, as n8n's Retry of an execution does. */
	retryOf?: RetryOf;
	/** Aborts the execution, as the user does in the editor. */
	cancel?: AbortSignal;
}

export interface RetryOf {
	run: IRun;
	/** Whether with the workflow as it is now, or as it was when the run failed. */
	workflow: 'current' | 'original';
}

export interface RunResult {
	/** What came out of the main output; of a loop, in its last round. */
	items: INodeExecutionData[];
	/** What came out of the error output. */
	errorItems: INodeExecutionData[];
	/** The error that stopped the workflow. */
	error?: {
		message: string;
		description?: string | null;
		context?: IDataObject;
		httpCode?: string;
		name?: string;
	};
	hints: string[];
	run: IRun;
}

/** In which way the tests run the node: jest runs them in both. */
export const { N8N_WAY: WAY = 'step' } = globalThis as { N8N_WAY?: Way };

const loaded = new Map<string, Promise<PackageDirectoryLoader>>();

/** Loads the built package as n8n does. */
export async function loadPackage(
	folder = resolve(__dirname, '../..'),
): Promise<PackageDirectoryLoader> {
	const load = async () => {
		const loader = new PackageDirectoryLoader(folder);
		await loader.loadAll();
		return loader;
	};
	if (!loaded.has(folder)) loaded.set(folder, load());
	return await loaded.get(folder)!;
}

/** Runs a workflow of two nodes in n8n's engine: one that gives the items, and the node under test. */
export async function runNode(options: RunOptions): Promise<RunResult> {
	const loader = await loadPackage(options.packageFolder);
	const node = nodeOf(options);
	const first = nodeWith('Items', ITEMS_TYPE, options.items ?? [{}]);
	const workflow = new Workflow({
		id: 'test',
		active: false,
		nodes: [
			first,
			node,
			...(options.rounds === undefined ? [] : [nodeWith('Loop', LOOP_TYPE, options.rounds)]),
		],
		connections:
			options.rounds === undefined
				? { Items: { main: [to(node.name)] } }
				: {
						Items: { main: [to('Loop')] },
						Loop: { main: [to(node.name)] },
						[node.name]: { main: [to('Loop'), to('Loop')] },
					},
		nodeTypes: nodeTypesOf(loader, WAY),
		settings: { executionOrder: 'v1', timezone: options.timezone ?? 'America/Sao_Paulo' },
	});

	const execution = new WorkflowExecute(
		additionalDataOf(loader, options.credential, options.onCredentialRead),
		options.retryOf ? 'retry' : 'trigger',
		options.retryOf ? dataForRetry(options.retryOf, workflow) : dataAtStart(first),
	).processRunExecutionData(workflow);
	options.cancel?.addEventListener('abort', () => execution.cancel(), { once: true });
	const run = await execution;

	const task = run.data.resultData.runData[node.name]?.at(-1);
	const [items = [], errorItems = []] = task?.data?.main ?? [];
	const error = (run.data.resultData.error ?? undefined) as RunResult['error'];
	return {
		items: items ?? [],
		errorItems: errorItems ?? [],
		error,
		hints: (task?.hints ?? []).map(({ message }) => message),
		run,
	};
}

/** Starts with a node, which gets empty items. */
export function dataAtStart(node: INode, items = [{ json: {} }]): IRunExecutionData {
	const start = { node, data: { main: [items] }, source: null };
	return createRunExecutionData({ executionData: { nodeExecutionStack: [start] } });
}

/** How n8n saves what a run did and, for another try, reads it again, without the error and the node that failed. */
function dataForRetry({ run, workflow: version }: RetryOf, workflow: Workflow): IRunExecutionData {
	const data = parse(saved(run)) as IRunExecutionData;
	const { lastNodeExecuted = '', runData } = data.resultData;
	delete data.resultData.error;
	if (runData[lastNodeExecuted]?.at(-1)?.error !== undefined) runData[lastNodeExecuted].pop();
	for (const entry of data.executionData!.nodeExecutionStack) {
		if (version === 'current') entry.node = workflow.getNode(entry.node.name)!;
	}
	return data;
}

/** What n8n writes into its database about a run. */
export const saved = ({ data }: IRun) => stringify(data);

const to = (node: string) => [{ node, type: NodeConnectionTypes.Main, index: 0 }];

/** A node of a test, with what its parameter is. */
export function nodeWith(name: string, type: string, data: unknown = {}): INode {
	const parameters = { data: JSON.stringify(data) };
	return { id: name, name, type, typeVersion: 1, position: [0, 0], parameters };
}

export function nodeOf(options: Partial<RunOptions>): INode {
	const { parameters = {}, onError, maxTries, settings } = options;
	return {
		id: '2',
		name: 'Class Enrollment',
		type: NODE_TYPE,
		typeVersion: 1,
		position: [200, 0],
		parameters,
		credentials: { classEnrollmentApi: { id: '1', name: 'Test' } },
		...settings,
		...(onError ? { onError } : {}),
		...(maxTries === undefined ? {} : { retryOnFail: true, maxTries, waitBetweenTries: 1 }),
	};
}

export function nodeTypesOf(loader: PackageDirectoryLoader, way: Way): INodeTypes {
	const byName = (name: string) => {
		if (name === ITEMS_TYPE) return itemsNode;
		if (name === LOOP_TYPE) return loopNode;
		const { type } = loader.getNode(name.split('.')[1]!);
		return way === 'step' ? (type as INodeType) : routedOnly(type as INodeType);
	};
	return { getByName: byName, getByNameAndVersion: byName, getKnownTypes: () => ({}) };
}

/** What n8n does with a declarative node whose `execute` it needs. */
function routedOnly(type: INodeType): INodeType {
	const routed: INodeType = Object.create(type, { customOperations: { value: undefined } });
	routed.execute = async function (this: IExecuteFunctions) {
		return (await new RoutingNode(this as never, routed).runNode()) ?? [];
	};
	return routed;
}

export function additionalDataOf(
	loader: PackageDirectoryLoader,
	credential: RunOptions['credential'],
	onCredentialRead?: () => void,
): IWorkflowExecuteAdditionalData {
	return {
		credentialsHelper: credentialsHelperOf(loader, credential, onCredentialRead),
		hooks: new ExecutionLifecycleHooks('trigger', '1', { id: 'test' } as never),
		currentNodeExecutionIndex: 0,
		variables: {},
		formWaitingBaseUrl: 'http://127.0.0.1/form-waiting',
		webhookWaitingBaseUrl: 'http://127.0.0.1/webhook-waiting',
	} as unknown as IWorkflowExecuteAdditionalData;
}

/** A node that is there for a test. */
export function testNode(
	execute: NonNullable<INodeType['execute']>,
	inputs: INodeTypeDescription['inputs'] = [NodeConnectionTypes.Main],
): INodeType {
	return {
		description: {
			displayName: 'Test',
			name: 'test',
			group: ['transform'],
			version: 1,
			description: 'Helps a test',
			defaults: { name: 'Test' },
			inputs,
			outputs: [NodeConnectionTypes.Main],
			properties: [{ displayName: 'Data', name: 'data', type: 'json', default: '' }],
		},
		execute,
	};
}

/** Gives the items in its parameter. */
const itemsNode = testNode(async function () {
	const items = JSON.parse(this.getNodeParameter('data', 0) as string) as IDataObject[];
	return [items.map((json) => ({ json, pairedItem: { item: 0 } }))];
});

/** Gives its first items again, in as many rounds as its parameter says. */
const loopNode = testNode(async function () {
	const context = this.getContext('node') as { items?: IDataObject[]; round?: number };
	context.items ??= this.getInputData().map(({ json }) => json);
	context.round = (context.round ?? 0) + 1;
	if (context.round > Number(this.getNodeParameter('data', 0))) return [[]];
	return [context.items.map((json) => ({ json, pairedItem: { item: 0 } }))];
});

/** Gives the test's credential and leaves authentication to the credential's own code. */
function credentialsHelperOf(
	loader: PackageDirectoryLoader,
	data: RunOptions['credential'],
	onRead?: () => void,
): ICredentialsHelper {
	const typeOf = (name: string) => loader.getCredential(name).type;
	const helper: Partial<ICredentialsHelper> = {
		getParentTypes: () => [],
		preAuthentication: async () => undefined,
		getCredentialsProperties: (type) => typeOf(type).properties,

		authenticate: async (credentials, type, options) => {
			const { authenticate } = typeOf(type);
			if (typeof authenticate !== 'function') throw new Error('It does not authenticate');
			return await authenticate(credentials, options as IHttpRequestOptions);
		},

		/** Evaluates expressions as n8n's own helper does. */
		getDecrypted: async (additionalData, _node, type, mode, executeData, _raw, resolveValues) => {
			onRead?.();
			const values = NodeHelpers.getNodeParameters(
				typeOf(type).properties,
				data as INodeParameters,
				true,
				false,
				null,
				null,
			) as INodeParameters;
			if (!resolveValues) return values as ICredentialDataDecryptedObject;
			const { workflow, node, runExecutionData, runIndex, itemIndex, connectionInputData } =
				resolveValues;
			return workflow.expression.getParameterValue(
				values,
				runExecutionData,
				runIndex,
				itemIndex,
				node.name,
				connectionInputData,
				mode,
				getAdditionalKeys(additionalData, mode, null),
				executeData,
				false,
				values,
			) as ICredentialDataDecryptedObject;
		},
	};
	// Newer engines ask for the last one.
	return { ...helper, isCredentialUsableByNode: () => true } as unknown as ICredentialsHelper;
}
