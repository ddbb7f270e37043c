import { type IExecuteFunctions, type IExecutePaginationFunctions, sleep } from 'n8n-workflow';
import type { Client } from '../transport/client';
import type { ServiceAccess } from '../transport/http';
import { createRunEnd } from '../transport/runEnd';
import type { ReadCredential } from './credential';
import { openClient } from './openClient';
import { readRequestSettings, type RequestSettings } from './requestOptions';

/** What all requests of one run share. */
export interface Session {
	/**
	 * Returns the client for an item, with a name of its own. Items with the same credential share one.
	 * It throws InvalidValueError if the credential or the settings cannot be used.
	 */
	clientFor: (itemIndex: number) => Promise<NamedClient> | NamedClient;
	/** Waits as n8n's Batching asks, before the part of the run with this number. */
	pauseBefore: (number: number) => Promise<void>;
	/** Starts nothing more; requests in flight are completed. */
	stop: () => void;
}

export interface NamedClient extends Client {
	id: number;
	/** Stands for the Base URL and the credential, also in another try. */
	service: string;
}

/** A context in which n8n runs the node, for all items or for one. */
export type RunContext = IExecuteFunctions | IExecutePaginationFunctions;

/** From what a session is opened. */
interface SessionOptions {
	/** Returns the context of an item. */
	contextOf: (itemIndex: number) => RunContext;
	/** Aborts when the user cancels the execution. */
	cancelSignal: AbortSignal | undefined;
	/** Returns the value of the parameter with the Request Options. */
	requestOptions: () => unknown;
	readCredential: ReadCredential;
	credentialId: string | null | undefined;
	/** Otherwise the first write that fails ends the session. */
	continueOnFail: boolean;
}

/** Opens the session of one run. */
export function openSession({
	contextOf,
	cancelSignal,
	requestOptions,
	readCredential,
	credentialId,
	continueOnFail,
}: SessionOptions): Session {
	const stopper = new AbortController();
	const stop = () => stopper.abort();
	cancelSignal?.addEventListener('abort', stop);
	const runEnd = createRunEnd(stopper.signal, continueOnFail ? undefined : stop);
	const clients = new Map<string, NamedClient>();
	// Of the last item: looking it up takes longer than everything else.
	let latest: { access: ServiceAccess; client: NamedClient } | undefined;
	let read: RequestSettings | undefined;
	const settings = () => (read ??= readRequestSettings(requestOptions()));
	const openFor = (itemIndex: number, access: ServiceAccess): NamedClient => {
		if (access === latest?.access) return latest.client;
		const key = JSON.stringify([access.baseUrl, access.accessToken]);
		const context = contextOf(itemIndex);
		const client = clients.get(key) ?? {
			...openClient(context, access, settings(), runEnd, cancelSignal),
			id: clients.size,
			service: JSON.stringify([access.baseUrl, credentialId]),
		};
		clients.set(key, client);
		latest = { access, client };
		return client;
	};

	return {
		clientFor: (itemIndex) => {
			const access = readCredential(itemIndex);
			const open = (known: ServiceAccess) => openFor(itemIndex, known);
			return access instanceof Promise ? access.then(open) : open(access);
		},
		pauseBefore: async (number) => {
			const { size, intervalMs } = settings().batch;
			const pauseMs = Math.floor(number / size) * intervalMs;
			if (pauseMs > 0) await Promise.race([sleep(pauseMs), runEnd.ended]);
		},
		stop,
	};
}
