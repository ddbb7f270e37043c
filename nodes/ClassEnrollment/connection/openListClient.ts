import { type IAllExecuteFunctions, sleep } from 'n8n-workflow';
import type { RequestSettings } from '../fields/requestOptions';
import { TRY_LATER } from '../transport/advice';
import { type Client, createClient } from '../transport/client';
import { createExchange, type ServiceAccess } from '../transport/http';
import { unsentError } from '../transport/serviceError';

/** Opens a client for reading the class list within so many milliseconds. After that, it throws ServiceError. */
export function openListClient(
	context: IAllExecuteFunctions,
	access: ServiceAccess,
	settings: RequestSettings,
	budgetMs: number,
): Pick<Client, 'send'> {
	const exchange = createExchange(context, access, settings.http);
	const giveUpAfterMs = Math.min(settings.giveUpAfterMs, budgetMs);
	const client = createClient(exchange, { ...settings, giveUpAfterMs });
	const seconds = Math.round(budgetMs / 1000);
	const tooLong = unsentError(
		`The class list took longer than ${seconds} seconds to load`,
		TRY_LATER,
	);
	const ended = new Promise<never>((_, reject) => {
		AbortSignal.timeout(budgetMs).addEventListener('abort', () => {
			client.end(tooLong);
			// First, a request that waits fails with a better reason.
			void sleep(0).then(() => reject(tooLong));
		});
	});
	ended.catch(() => {});
	return { send: async (request) => await Promise.race([client.send(request), ended]) };
}
