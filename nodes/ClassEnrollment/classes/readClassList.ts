import { type IAllExecuteFunctions, type IDataObject, sleep } from 'n8n-workflow';
import { readClasses } from './readClasses';
import type { RequestSettings } from '../fields/requestOptions';
import { createClient } from '../transport/client';
import { createTransport, type ServiceAccess } from '../transport/http';
import { unsentError } from '../transport/serviceError';

/** Reads classes as `readClasses` does, within so many milliseconds; throws ServiceError, also if that is not enough. */
export async function readClassList(
	context: IAllExecuteFunctions,
	access: ServiceAccess,
	settings: RequestSettings,
	budgetMs: number,
	query: Parameters<typeof readClasses>[1],
): Promise<IDataObject[]> {
	const transport = createTransport(context, access, settings.http);
	const giveUpAfterMs = Math.min(settings.giveUpAfterMs, budgetMs);
	const client = createClient(transport, { ...settings, giveUpAfterMs });
	const seconds = Math.round(budgetMs / 1000);
	const tooLong = unsentError(`The class list took longer than ${seconds} seconds to load`);
	const ended = new Promise<never>((_, reject) => {
		AbortSignal.timeout(budgetMs).addEventListener('abort', () => {
			client.end(tooLong);
			// First, a request that waits fails with a better reason.
			void sleep(0).then(() => reject(tooLong));
		});
	});
	return await Promise.race([readClasses(client, query), ended]).finally(client.end);
}
