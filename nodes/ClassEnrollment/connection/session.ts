import memoize from 'lodash/memoize';
import type { IExecuteData, IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import { type Client, createClient } from '../transport/client';
import { createExchange, CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import { createPace, type Pace } from '../transport/pace';
import type { ReadCredential } from './credential';
import { readRequestSettings } from '../fields/requestOptions';

/** What all requests of one run share. */
export type Session = ReturnType<typeof openSession>;

/** A client, and a name of its service: the Base URL and the credential, which another try has, too. */
export type NamedClient = Client & { service: string };

/** A context in which n8n runs the node, for all items or for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

// n8n's routing runs the node in waves, each with a session of its own, which keep one pace.
const paces = new WeakMap<IExecuteData, Pace>();

/**
 * Opens the session of one run. It ends when the user cancels the execution and, without "continue on fail", with the
 * first write that fails.
 * @param get evaluates a parameter of the first item
 */
export function openSession(
	context: RunContext,
	get: (name: string) => unknown,
	readCredential: ReadCredential,
) {
	const clients: Client[] = [];
	const cancelSignal = context.getExecutionCancelSignal() ?? new AbortController().signal;
	const end = () => {
		for (const client of clients) client.end();
	};
	cancelSignal.addEventListener('abort', end);
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id;
	// Read with the first row, since a Request Option that cannot be used is an error of rows.
	const share = memoize(() => {
		const settings = readRequestSettings(get('requestOptions'));
		const executeData = context.getExecuteData();
		const pace = paces.get(executeData) ?? createPace(settings);
		paces.set(executeData, pace);
		return { ...settings, pace };
	});
	const openFor = memoize(
		(access: ServiceAccess): NamedClient => {
			const settings = share();
			const exchange = createExchange(context, access, settings.http, cancelSignal);
			const onFailedWrite = context.continueOnFail() ? undefined : end;
			const client = createClient(exchange, settings, onFailedWrite);
			clients.push(client);
			if (cancelSignal.aborted) client.end();
			return { ...client, service: JSON.stringify([access.baseUrl, credentialId]) };
		},
		({ credential }) => JSON.stringify(credential),
	);

	return {
		/** Returns the client for an item, shared by all with its credential; throws InvalidValueError if it cannot be opened. */
		clientFor: async (itemIndex: number) => openFor(await readCredential(itemIndex)),
		/** Starts nothing more; requests in flight are completed. */
		stop: end,
		/** To be called after the run: the execution, which may be a loop of many runs, would keep it in memory. */
		close: () => cancelSignal.removeEventListener('abort', end),
	};
}
