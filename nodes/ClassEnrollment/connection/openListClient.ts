import type { IAllExecuteFunctions } from 'n8n-workflow';
import { createClient } from '../transport/client';
import { createExchange, type InFlight, type ServiceAccess } from '../transport/http';
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
	const inFlight: InFlight = new Set();
	const exchange = createExchange(context, access, settings.http, inFlight);
	const giveUpAfterMs = Math.min(settings.giveUpAfterMs, budgetMs);
	const client = createClient(exchange, { ...settings, giveUpAfterMs, pace: createPace(settings) });
	budget.addEventListener('abort', () => {
		client.end();
		for (const request of inFlight) request.abort(CANCELLED);
	});
	const send: typeof client.send = async (request) =>
		await client.send(request).catch((error: unknown) => {
			if (!(error instanceof ServiceError) || error.failure.code !== CANCELLED) throw error;
			const message = `The class list took longer than ${Math.round(budgetMs / 1000)} seconds to load`;
			throw new ServiceError({ ...error.failure, message, advice: TRY_LATER });
		});
	return { send };
}
