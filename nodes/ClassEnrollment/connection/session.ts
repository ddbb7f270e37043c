import memoize from 'lodash/memoize';
import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import type { Client } from '../transport/client';
import { CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import type { ReadCredential } from './credential';
import { openClient } from './openClient';
import { readRequestSettings } from './requestOptions';

/** What all requests of one run share. */
export type Session = ReturnType<typeof openSession>;

/** A client, and a name of its service: the Base URL and the credential, which another try has, too. */
export type NamedClient = Client & { service: string };

/** A context in which n8n runs the node, for all items or for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/**
 * Opens the session of one run. It ends when the user cancels the execution and, without "continue on fail", with the
 * first write that fails.
 * @param get evaluates a parameter
 */
export function openSession(
	context: RunContext,
	get: (name: string) => unknown,
	readCredential: ReadCredential,
) {
	const cancelSignal = context.getExecutionCancelSignal();
	const stopper = new AbortController();
	const stop = () => stopper.abort();
	cancelSignal?.addEventListener('abort', stop);
	const onFailedWrite = context.continueOnFail() ? undefined : stop;
	const runEnd = { signal: stopper.signal, onFailedWrite };
	const credentialId = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id;
	const settings = memoize(() => readRequestSettings(get('requestOptions')));
	const openFor = memoize(
		(access: ServiceAccess): NamedClient => ({
			...openClient(context, access, settings(), runEnd, cancelSignal),
			service: JSON.stringify([access.baseUrl, credentialId]),
		}),
		({ key }) => key,
	);

	return {
		/** Returns the client for an item, shared by all with its credential; throws InvalidValueError if it cannot be opened. */
		clientFor: async (itemIndex: number) => openFor(await readCredential(itemIndex)),
		/** Starts nothing more; requests in flight are completed. */
		stop,
	};
}
