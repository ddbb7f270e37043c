import type { ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { CLASS_LIST } from '../classes/classPages';
import { createClient, type Send } from '../transport/client';
import { createSender, type N8nContext, type ServiceAccess } from '../transport/http';
import { readCredential } from './credential';
import { readRequestSettings, type RequestSettings } from './requestOptions';

/** Opens a client for one credential. */
export function openClient(
	context: N8nContext,
	access: ServiceAccess,
	settings: RequestSettings,
	over: AbortSignal,
): Send {
	const check = { ...CLASS_LIST, query: { pageSize: 1 } };
	return createClient(createSender(context, access, settings.http), settings, check, over);
}

/**
 * Opens the client of the editor's lists or of a poll, which have no items.
 * @param requestOptions the value of that parameter
 * @param over aborts when nothing more is to be sent
 * @throws InvalidValueError if the credential or an option cannot be used
 */
export async function openClientWithoutItems(
	context: ILoadOptionsFunctions | IPollFunctions,
	requestOptions: unknown,
	over = new AbortController().signal,
): Promise<Send> {
	const settings = readRequestSettings(requestOptions);
	return openClient(context, await readCredential(context), settings, over);
}
