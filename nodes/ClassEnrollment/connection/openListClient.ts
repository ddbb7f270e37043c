import type { IAllExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../transport/client';
import { createExchange, type ServiceAccess } from '../transport/http';
import { CANCELLED } from '../transport/noResponse';
import { ServiceError, TRY_LATER } from '../transport/serviceError';
import { createPace } from '../transport/pace';
import type { RequestSettings } from '../fields/requestOptions';

/** Opens a client for reading the class list within so many milliseconds. */
export function openListClient(
	context: IAllExecuteFunctions,
	access: ServiceAccess,
	settings: RequestSettings,
	budgetMs: number,
) {
	const budget = AbortSignal.timeout(budgetMs);
	const exchange = createExchange(context, access, settings.http, budget);
	const client = createClient(exchange, { ...settings, pace: createPace(settings) });
	budget.addEventListener('abort', client.end);
	const send: typeof client.send = async (request) =>
		await client.send(request).catch((error: unknown) => {
			if (!budget.aborted || !(error instanceof ServiceError)) throw error;
			const { code, retryAfterMs } = error.failure;
			const why = code === CANCELLED ? '' : `: ${error.message}`;
			const seconds = Math.round(budgetMs / 1000);
			const message = `Reading the class list took longer than ${seconds} s${why}`;
			throw new ServiceError({ message, advice: TRY_LATER, fate: 'failed', retryAfterMs });
		});
	return { send };
}
