import { type Client, createClient } from '../transport/client';
import { createSender, type N8nContext } from '../transport/http';
import { readCredential } from './credential';
import { readRequestSettings } from './requestOptions';

/**
 * Opens the client for one run of a node, from its credential and its Request Options.
 * @param requestOptions the value of that parameter
 * @param signal aborts when the user cancels the execution
 * @throws InvalidValueError where the credential or an option cannot be used
 */
export async function openClient(
	context: N8nContext,
	requestOptions: unknown,
	signal?: AbortSignal,
): Promise<Client> {
	const settings = readRequestSettings(requestOptions);
	const access = await readCredential(context);
	return createClient(createSender(context, access, settings.http), settings, signal);
}
