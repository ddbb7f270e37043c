import { memoize, union } from 'lodash';
import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import { type Client, createClient } from '../transport/client';
import { createExchange, CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import type { ReadCredential } from './credential';
import { readRequestSettings } from '../fields/requestOptions';

/** The clients of one run, which its requests share. */
export type Session = ReturnType<typeof openSession>;

/** A client, and a name of its service for the journal: Base URL, credential, and the number of the token. */
export type NamedClient = Client & { service: string };

/** A context in which n8n runs the node, for all items or for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/**
 * Opens the session of one run. It ends when the user cancels the execution and, without "continue on fail", with the
 * first request that fails.
 * @param get evaluates a parameter of the first item
 * @param tokens those used before by Base URL, to which it adds its own
 */
export function openSession(
	context: RunContext,
	get: (name: string) => unknown,
	readCredential: ReadCredential,
	tokens: Record<string, string[]>,
) {
	/** By credential. */
	const clients = new Map<string, NamedClient>();
	const cancelSignal = context.getExecutionCancelSignal();
	const stop = () => {
		for (const client of clients.values()) client.end();
		// The execution, which may be a loop of many runs, would keep it in memory.
		cancelSignal?.removeEventListener('abort', stop);
	};
	cancelSignal?.addEventListener('abort', stop);

	// Once for all clients. An option that cannot be used is an error of rows, the same of all.
	const readSettings = memoize(async () => readRequestSettings(get('requestOptions')));
	// A credential without expressions is one object for all items.
	const clientOf = memoize(async (access: ServiceAccess): Promise<NamedClient> => {
		const key = JSON.stringify(access.credential);
		if (clients.has(key)) return clients.get(key)!;
		const settings = await readSettings();
		const exchange = createExchange(context, access, settings.http);
		const client = createClient(exchange, settings, context.continueOnFail() ? undefined : stop);
		if (cancelSignal?.aborted) client.end();
		const { baseUrl, accessToken } = access;
		const credentialId = context.getNode().credentials![CREDENTIAL_TYPE]!.id;
		const used = (tokens[baseUrl] = union(tokens[baseUrl], [accessToken]));
		const service = JSON.stringify([baseUrl, credentialId, used.indexOf(accessToken)]);
		const named = { ...client, service };
		clients.set(key, named);
		return named;
	});

	return {
		/** Returns the client for an item, shared by all with its credential; throws InvalidValueError if it cannot be opened. */
		clientFor: async (itemIndex: number) => await clientOf(await readCredential(itemIndex)),
		/** Starts nothing more; requests in flight are completed. To be called after the run, too: a list may still be read. */
		stop,
	};
}
