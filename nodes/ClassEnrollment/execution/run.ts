import { createHash } from 'node:crypto';
import { omit } from 'lodash';
import { DateTime } from 'luxon';
import {
	type IContextObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	NodeOperationError,
} from 'n8n-workflow';
import { type CredentialOf, readCredentials } from '../connection/credential';
import { createClients, type RunContext } from '../connection/clients';
import { createParameterReader } from '../fields/parameters';
import {
	isSavedJournal,
	type Journal,
	openJournal,
	type SavedJournal,
	toSaved,
} from '../journal/journal';
import type { InputItem, Operation } from '../operation/operation';

/**
 * Runs an operation for items that n8n has started together.
 * @param context the one of all items, or of the first one
 */
export async function runOperation(
	operation: Operation,
	context: RunContext,
	inputItems: Array<Omit<InputItem, 'now'>>,
	credentialOf: CredentialOf,
	journal: Journal,
): Promise<INodeExecutionData[]> {
	const node = context.getNode();
	// The token may have been replaced since an earlier attempt. In the routing, later batches have later items.
	if (inputItems[0]!.itemIndex === 0) journal.tokens = [];
	// Durations count from the first attempt.
	const now = DateTime.fromMillis(journal.startedAt, { zone: context.getTimezone() });
	const items = inputItems.map((item) => ({ ...item, now }));
	const clients = createClients(context, items[0]!.get, credentialOf, journal.tokens);
	const executing = operation.execute({
		journal,
		node,
		operation,
		continueOnFail: context.continueOnFail(),
		items,
		parametersHash: parametersHashOf(node, context.getTimezone()),
		clients,
	});
	return await executing.finally(clients.end);
}

/**
 * Makes the custom operation that n8n runs instead of the routing of a declarative node: for all input items at once, which share
 * checks, limits and batches.
 */
export function toCustomOperation(operation: Operation) {
	return async function (this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const read = createParameterReader(this);
		const output = await withJournal(this, async (journal) => {
			const items = this.getInputData().map(({ json }, itemIndex) => {
				return { itemIndex, json, get: (name: string) => read(name, itemIndex) };
			});
			const credentialOf = await readCredentials(this, items.keys());
			return await runOperation(operation, this, items, credentialOf, journal);
		});
		for (const hint of operation.hints ?? []) {
			const message = hint(output, this.getInputData());
			if (message) this.addExecutionHints({ message, location: 'outputPane' });
		}
		return [output];
	};
}

/** Returns a hash of the time zone and the node's parameters, without those that say how to send, or to whom: a target says that. */
function parametersHashOf({ parameters }: INode, timezone: string): string {
	const hashed = omit(parameters, 'requestOptions', 'options', 'email');
	const written = JSON.stringify([timezone, hashed]);
	return createHash('sha256').update(written).digest('base64');
}

/** Runs with the journal of this node run. If that fails, it is saved, and n8n's Retry of the execution goes on from there. */
async function withJournal(
	context: IExecuteFunctions,
	run: (journal: Journal) => Promise<INodeExecutionData[]>,
): Promise<INodeExecutionData[]> {
	const storage = storageOf(context);
	const journal = openJournal(context.getExecuteData(), takeSaved(storage, context.getNode()));
	return await run(journal).catch((error: unknown) => {
		if (journal.entries.size > 0) storage.journal = toSaved(journal);
		throw error;
	});
}

/** Returns the node's context, which n8n saves with a failed execution, and hands to its Retry. */
function storageOf(context: IExecuteFunctions): IContextObject {
	// An agent that calls the node again in the same execution may mean to do the same once more.
	const isToolCall = context.getNode().rewireOutputLogTo !== undefined;
	return isToolCall ? {} : context.getContext('node');
}

/** Takes the saved journal out of it, if there is one: the next round of a loop must not find it. */
function takeSaved(storage: IContextObject, node: INode): SavedJournal | undefined {
	const saved: unknown = storage.journal;
	if (saved !== undefined && !isSavedJournal(saved)) {
		// Without it, everything would be sent again.
		const message = "The node can't tell what the failed execution did";
		const description =
			"Its saved record can't be read. Check in the service what is missing, and start a new execution for that.";
		throw new NodeOperationError(node, message, { description });
	}
	delete storage.journal;
	return saved;
}
