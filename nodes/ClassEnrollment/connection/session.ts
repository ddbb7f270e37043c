import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import { openClient } from './openClient';
import type { ReadCredential } from './credential';
import { readRequestSettings, type RequestSettings } from './requestOptions';
import type { Client } from '../transport/client';
import type { ServiceAccess } from '../transport/http';

/** What all requests of one run share. */
export interface Session {
	/** Reads the Request Options; throws InvalidValueError if one cannot be used. */
	settings: () => RequestSettings;
	/** Aborts when the run is over: it was stopped, or the user cancelled the execution. */
	endSignal: AbortSignal;
	/**
	 * Returns the client for an item, with a name of its own. Items with the same credential share one.
	 * It throws InvalidValueError if the credential or the settings cannot be used.
	 */
	clientFor: (itemIndex: number) => Promise<NamedClient>;
	/** Starts nothing more; requests in flight are completed. */
	stop: () => void;
}

export interface NamedClient extends Client {
	id: number;
}

/** A context in which n8n runs the node, for all items or for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/**
 * Opens the session of one run.
 * @param contextOf returns the context of an item
 * @param requestOptions returns the value of that parameter
 * @param continueOnFail otherwise the first write that fails ends the session
 */
export function openSession(
	contextOf: (itemIndex: number) => RunContext,
	cancelled: AbortSignal | undefined,
	requestOptions: () => unknown,
	readCredential: ReadCredential,
	continueOnFail: boolean,
): Session {
	const stopper = new AbortController();
	const endSignal = cancelled ? AbortSignal.any([cancelled, stopper.signal]) : stopper.signal;
	const clients = new Map<string, NamedClient>();
	let read: RequestSettings | undefined;
	const stop = () => stopper.abort();
	const settings = () => (read ??= readRequestSettings(requestOptions()));
	const openFor = (itemIndex: number, access: ServiceAccess) => {
		const onFailedWrite = continueOnFail ? undefined : stop;
		return openClient(contextOf(itemIndex), access, { ...settings(), onFailedWrite }, endSignal);
	};

	return {
		settings,
		endSignal,
		clientFor: async (itemIndex) => {
			const access = await readCredential(itemIndex);
			const key = JSON.stringify([access.baseUrl, access.accessToken]);
			const client = clients.get(key) ?? { ...openFor(itemIndex, access), id: clients.size };
			clients.set(key, client);
			return client;
		},
		stop,
	};
}
