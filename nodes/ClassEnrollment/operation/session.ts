import type { IExecuteFunctions, IExecutePaginationFunctions } from 'n8n-workflow';
import type { ReadCredential } from '../fields/credential';
import { readRequestSettings } from '../fields/requestOptions';
import { createClient, type Send } from '../transport/client';
import { createSender } from '../transport/http';
import { startEach } from './startEach';

/** What all requests of one run share. */
export interface Session {
	/**
	 * Returns what sends an item's requests: one and the same for all items with the same credential.
	 * It throws InvalidValueError where the item's credential cannot be used.
	 */
	clientFor: (itemIndex: number) => Promise<Send>;
	/** Runs a task for each entry, at the pace of the settings. */
	startEach: <Entry>(entries: Entry[], task: (entry: Entry) => Promise<void>) => Promise<void>;
	/** Starts nothing more; requests under way still end. */
	stop: () => void;
}

/**
 * Opens the session of one run.
 * @param requestOptions the value of that parameter
 * @throws InvalidValueError where an option cannot be used
 */
export function openSession(
	context: IExecuteFunctions | IExecutePaginationFunctions,
	requestOptions: unknown,
	readCredential: ReadCredential,
): Session {
	const settings = readRequestSettings(requestOptions);
	const stopper = new AbortController();
	const cancelled = context.getExecutionCancelSignal();
	const over = cancelled ? AbortSignal.any([cancelled, stopper.signal]) : stopper.signal;
	const clients = new Map<string, Send>();

	return {
		clientFor: async (itemIndex) => {
			const access = await readCredential(itemIndex);
			const key = JSON.stringify([access.baseUrl, access.accessToken]);
			const client =
				clients.get(key) ??
				createClient(createSender(context, access, settings.http), settings, over);
			clients.set(key, client);
			return client;
		},
		startEach: async (entries, task) => await startEach(entries, settings, over, task),
		stop: () => stopper.abort(),
	};
}
