import { createHash } from 'node:crypto';
import omit from 'lodash/omit';
import { DateTime } from 'luxon';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';
import { createCredentialReader, type ReadCredential } from '../connection/credential';
import { openSession, type RunContext } from '../connection/session';
import { createParameterReader } from '../fields/parameters';
import { CREDENTIAL_TYPE } from '../transport/http';
import { type EarlierTries, earlierTriesOf } from './earlierTries';
import type { Operation } from './operation';
import { restoreTries, saveTries } from './savedTries';

/** What n8n runs instead of the routing of a declarative node. */
export type CustomOperation = (this: IExecuteFunctions) => Promise<INodeExecutionData[][]>;

/** An input item as n8n gives it, in whichever way it runs the node. */
export interface ItemOfRun {
	itemIndex: number;
	json: IDataObject;
	context: RunContext;
	/** Evaluates a parameter; null if it is not set. */
	get: (name: string) => unknown;
}

/** Runs an operation for items that n8n has started together. */
export async function runOperation(
	operation: Operation,
	items: ItemOfRun[],
	readCredential: ReadCredential,
	earlierTries: EarlierTries,
	showHint: (message: string) => void = () => {},
	isWave = false,
): Promise<INodeExecutionData[]> {
	const byIndex = new Map(items.map((item) => [item.itemIndex, item]));
	const { context, get } = items[0]!;
	const now = DateTime.now().setZone(context.getTimezone());
	earlierTries.wording = wordingOf(context.getNode());
	return await operation.execute({
		node: context.getNode(),
		request: operation.request,
		continueOnFail: context.continueOnFail(),
		items: items.map((item) => ({ ...item, parameters: { now, get: item.get } })),
		earlierTries,
		session: openSession({
			contextOf: (itemIndex) => byIndex.get(itemIndex)!.context,
			cancelSignal: context.getExecutionCancelSignal(),
			requestOptions: () => get('requestOptions'),
			readCredential,
			continueOnFail: context.continueOnFail(),
		}),
		showHint,
		isWave,
	});
}

/** Runs an operation for all input items at once, so that they share checks, limits and batches. */
export function toCustomOperation(operation: Operation): CustomOperation {
	return async function () {
		const read = createParameterReader(this);
		const readCredential = createCredentialReader(
			async (itemIndex) => await this.getCredentials(CREDENTIAL_TYPE, itemIndex),
		);
		const items = this.getInputData().map(({ json }, itemIndex) => ({
			itemIndex,
			json,
			context: this,
			get: (name: string) => read(name, itemIndex),
		}));
		const tries = earlierTriesOf(this.getExecuteData());
		return await withSavedTries(this, tries, readCredential, async () => [
			await runOperation(operation, items, readCredential, tries, (message) =>
				this.addExecutionHints({ message, location: 'outputPane' }),
			),
		]);
	};
}

/**
 * Runs with what an earlier, failed execution has done, if this is n8n's Retry of it, and lets the execution keep what
 * was done if it fails. n8n saves the node's context with the execution; that of a successful one stays as it is.
 */
async function withSavedTries<Result>(
	context: IExecuteFunctions,
	tries: EarlierTries,
	readCredential: ReadCredential,
	run: () => Promise<Result>,
): Promise<Result> {
	const { credentials, rewireOutputLogTo: isTool } = context.getNode();
	const hasChanged = () => tries.done.size + tries.unknown.size > 0;
	// An agent may mean to do the same once more.
	if (isTool) return await run();
	/** What was done with another credential or at another address does not count. */
	const readService = async () => {
		const access = await readCredential(0).catch(() => undefined);
		return access && JSON.stringify([credentials?.[CREDENTIAL_TYPE]?.id, access.baseUrl]);
	};
	if (context.getMode() === 'retry' || hasChanged()) {
		const service = await readService();
		// Without a credential that can be used, nothing can be done, and nothing is forgotten.
		if (service) restoreTries(context.getContext('node'), tries, service);
	}
	let hasFailed = true;
	try {
		const output = await run();
		hasFailed = false;
		return output;
	} finally {
		const service = hasFailed && hasChanged() ? await readService() : undefined;
		if (service) saveTries(context.getContext('node'), tries, service);
	}
}

/** Stands for the node's parameters as the user wrote them, but for those that only say how to send. */
function wordingOf({ parameters }: INode): string {
	const wording = JSON.stringify(omit(parameters, 'requestOptions', 'options'));
	return createHash('sha256').update(wording).digest('hex');
}
