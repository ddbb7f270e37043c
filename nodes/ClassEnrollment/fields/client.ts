import type { ILoadOptionsFunctions, IPollFunctions } from 'n8n-workflow';
import { createClient, type Send } from '../transport/client';
import { createSender } from '../transport/http';
import { readCredential } from './credential';
import { readRequestSettings } from './requestOptions';

/**
 * Opens the client of the editor's lists or of a poll, which have no items.
 * @param requestOptions the value of that parameter
 * @param over aborts when nothing more is to be sent
 * @throws InvalidValueError where the credential or an option cannot be used
 */
export async function openClient(
	context: ILoadOptionsFunctions | IPollFunctions,
	requestOptions: unknown,
	over = new AbortController().signal,
): Promise<Send> {
	const settings = readRequestSettings(requestOptions);
	const sendOnce = createSender(context, await readCredential(context), settings.http);
	return createClient(sendOnce, settings, over);
}
