import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { CLASS_LIST } from '../classes/classPages';
import { type Client, createClient, type RunEnd } from '../transport/client';
import { createExchange, type N8nContext, type ServiceAccess } from '../transport/http';
import { readCredential } from './credential';
import { readRequestSettings, type RequestSettings } from './requestOptions';

/**
 * Opens a client for one credential.
 * @param cancelSignal aborts when the requests in flight are to end, too
 */
export function openClient(
	context: N8nContext,
	access: ServiceAccess,
	settings: RequestSettings,
	runEnd: RunEnd,
	cancelSignal?: AbortSignal,
): Client {
	const exchange = createExchange(context, access, settings.http, cancelSignal);
	return createClient(exchange, settings, CLASS_LIST, runEnd);
}

/**
 * Opens the client of the editor's lists, with the Request Options of the open node.
 * @throws InvalidValueError if the credential or an option cannot be used
 */
export async function openEditorClient(context: ILoadOptionsFunctions): Promise<Client> {
	const settings = readRequestSettings(context.getCurrentNodeParameter('requestOptions'));
	const neverEnds = { signal: new AbortController().signal };
	return openClient(context, await readCredential(context), settings, neverEnds);
}
