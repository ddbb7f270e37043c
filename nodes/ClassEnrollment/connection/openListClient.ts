import type { IAllExecuteFunctions } from 'n8n-workflow';
import { CLASS_LIST } from '../classes/classPages';
import { createClient } from '../transport/client';
import { createExchange, type ServiceAccess } from '../transport/http';
import { CANCELLED, ServiceError, TRY_LATER } from '../transport/serviceError';
import { createTimeLimit } from '../transport/timeLimit';
import { createPace } from '../transport/turns';
import type { RequestSettings } from '../fields/requestOptions';

/** Opens a client for reading the class list within so many milliseconds. */
export function openListClient(
	context: IAllExecuteFunctions,
	access: ServiceAccess,
	settings: RequestSettings,
	budgetMs: number,
) {
	const budget = AbortSignal.timeout(budgetMs);
	const limitTime = createTimeLimit(settings.http.timeout, budget);
	const exchange = createExchange(context, access, settings.http, limitTime);
	const client = createClient(exchange, { ...settings, pace: createPace(settings) }, CLASS_LIST);
	budget.addEventListener('abort', client.end);
	const send: typeof client.send = async (request) =>
		await client.send(request).catch((error: unknown) => {
			if (!budget.aborted || !(error instanceof ServiceError)) throw error;
			const why = error.failure.code === CANCELLED ? '' : `: ${error.message}`;
			const seconds = Math.round(budgetMs / 1000);
			const message = `Reading the class list took longer than ${seconds} s${why}`;
			throw new ServiceError({ message, advice: TRY_LATER, fate: 'silent' });
		});
	return { send };
}
