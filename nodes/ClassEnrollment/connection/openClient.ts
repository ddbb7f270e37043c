import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { CLASS_LIST } from '../classes/classPages';
import { type Client, createClient } from '../transport/client';
import { createExchange, type N8nContext, type ServiceAccess } from '../transport/http';
import { readCredential } from './credential';
import { readRequestSettings, type RequestSettings } from './requestOptions';

/**
 * Opens a client for one credential.
 * @param endSignal aborts when the run is over
 */
export function openClient(
	context: N8nContext,
	access: ServiceAccess,
	settings: RequestSettings,
	endSignal: AbortSignal,
): Client {
	const healthCheck = { ...CLASS_LIST, query: { pageSize: 1 } };
	return createClient(
		createExchange(context, access, settings.http),
		settings,
		healthCheck,
		endSignal,
	);
}

/**
 * Opens the client of the editor's lists, with the Request Options of the open node.
 * @throws InvalidValueError if the credential or an option cannot be used
 */
export async function openEditorClient(context: ILoadOptionsFunctions): Promise<Client> {
	const settings = readRequestSettings(context.getCurrentNodeParameter('requestOptions'));
	return openClient(context, await readCredential(context), settings, new AbortController().signal);
}
