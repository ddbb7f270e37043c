import { attempt, isError, memoize } from 'lodash';
import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import { readRequestSettings } from '../fields/requestOptions';
import { type Client, createClient } from '../transport/client';
import { createTransport, CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import type { CredentialOf } from './credential';

/** The clients of one run: one for each credential. */
export type Clients = ReturnType<typeof createClients>;

/** A client, and a name of its service for the journal: Base URL, credential, and the index of the token. */
export type NamedClient = Client & { serviceName: string };

/** A context in which n8n runs the node, for all items or for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/**
 * Creates the clients of one run. They end when the user cancels the execution, and without "continue on fail" `sendRows` ends
 * them with the first request that fails.
 * @param get evaluates a parameter of the first item
 * @param tokens those used before, to which it adds its own
 */
export function createClients(
	context: RunContext,
	get: (name: string) => unknown,
	credentialOf: CredentialOf,
	tokens: string[],
) {
	const opened: Client[] = [];
	const cancelSignal = context.getExecutionCancelSignal();
	const end = () => {
		for (const client of opened) client.end();
		// The execution, which may be a loop of many runs, would keep it in memory.
		cancelSignal?.removeEventListener('abort', end);
	};
	cancelSignal?.addEventListener('abort', end);

	// An option that cannot be used is the error of each row.
	const settings = attempt(() => readRequestSettings(get('requestOptions')));

	// Items may share one object, or have each its own.
	const keyOf = memoize(({ credential }: ServiceAccess) => JSON.stringify(credential));
	/** Opens one client for all items with the same credential. */
	const openClient = memoize((access: ServiceAccess): NamedClient => {
		if (isError(settings)) throw settings;
		const transport = createTransport(context, access, settings.http);
		const client = createClient(transport, settings);
		if (cancelSignal?.aborted) client.end();
		opened.push(client);
		return { ...client, serviceName: nameService(access) };
	}, keyOf);

	const nameService = ({ baseUrl, accessToken }: ServiceAccess): string => {
		const credentialId = context.getNode().credentials![CREDENTIAL_TYPE]!.id;
		if (!tokens.includes(accessToken)) tokens.push(accessToken);
		return JSON.stringify([baseUrl, credentialId, tokens.indexOf(accessToken)]);
	};

	return {
		/** Returns the client for an item; throws InvalidValueError if its credential or the Request Options are invalid. */
		forItem: (itemIndex: number) => openClient(credentialOf(itemIndex)),
		/** Starts nothing more; requests in flight are completed. To be called after the run, too: a list may still be read. */
		end,
	};
}
