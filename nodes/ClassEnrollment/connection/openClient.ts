import { CLASS_LIST } from '../classes/classPages';
import { type Client, createClient } from '../transport/client';
import { createExchange, type N8nContext, type ServiceAccess } from '../transport/http';
import { CANCELLED, ServiceError, TRY_LATER } from '../transport/serviceError';
import { createTimeLimit, type TimeLimit } from '../transport/timeLimit';
import { createPace, type Pace } from '../transport/turns';
import type { RequestSettings } from '../fields/requestOptions';

/** What all clients of a run share. */
export interface Shared {
	settings: RequestSettings;
	pace: Pace;
	limitTime: TimeLimit;
	/** Called when a write has failed for good, before another request takes its place. */
	onFailedWrite?: () => void;
}

/** Opens a client for one credential. */
export function openClient(
	context: N8nContext,
	access: ServiceAccess,
	{ settings, pace, limitTime, onFailedWrite }: Shared,
): Client {
	const exchange = createExchange(context, access, settings.http, limitTime);
	return createClient(exchange, { ...settings, pace }, CLASS_LIST, onFailedWrite);
}

/** Opens a client for reading the class list within so many milliseconds. */
export function openListClient(
	context: N8nContext,
	access: ServiceAccess,
	settings: RequestSettings,
	budgetMs: number,
): Client {
	const budget = AbortSignal.timeout(budgetMs);
	const limitTime = createTimeLimit(settings.http.timeout, budget);
	const client = openClient(context, access, { settings, pace: createPace(settings), limitTime });
	budget.addEventListener('abort', client.end);
	return {
		...client,
		send: async (request) =>
			await client.send(request).catch((error: unknown) => {
				if (!budget.aborted || !(error instanceof ServiceError)) throw error;
				const why = error.failure.code === CANCELLED ? '' : `: ${error.message}`;
				const seconds = Math.round(budgetMs / 1000);
				const message = `Reading the class list took longer than ${seconds} s${why}`;
				throw new ServiceError({ message, advice: TRY_LATER, fate: 'silent' });
			}),
	};
}
