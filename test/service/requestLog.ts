import type { NextFunction, Request, Response } from 'express';
import once from 'lodash/once';
import type { IncomingHttpHeaders } from 'node:http';

/** Times are milliseconds since the epoch. */
export interface RequestRecord {
	method: string;
	/** As received, still percent-encoded, without the `/v1` prefix and the query. */
	path: string;
	query: Record<string, string>;
	headers: IncomingHttpHeaders;
	/** The parsed JSON; undefined if there was none. */
	body: unknown;
	/** When the headers had arrived. */
	receivedAt: number;
	/** The status of the response; undefined if there is none. */
	status?: number;
	/** When the response, or its connection, ended. */
	closedAt?: number;
}

/** The record of a request. */
export const recordOf = (response: Response) => response.locals.record as RequestRecord;

/** Records every request in order. */
export function createRequestLog() {
	const requests: RequestRecord[] = [];
	let inFlight = 0;
	let peakInFlight = 0;

	return {
		requests,

		get peakInFlight() {
			return peakInFlight;
		},

		reset() {
			requests.length = 0;
			peakInFlight = inFlight;
		},

		/** Middleware: starts the record of a request, and completes it with the response. */
		open(request: Request, response: Response, next: NextFunction) {
			const [path = '', ...query] = request.originalUrl.split('?');
			const record: RequestRecord = {
				method: request.method,
				path: path.replace(/^\/v1(?=\/|$)/, ''),
				query: Object.fromEntries(new URLSearchParams(query.join('?'))),
				headers: request.headers,
				body: undefined,
				receivedAt: Date.now(),
			};
			response.locals.record = record;
			requests.push(record);
			inFlight++;
			peakInFlight = Math.max(peakInFlight, inFlight);

			const close = once(() => {
				if (response.writableFinished) record.status = response.statusCode;
				record.closedAt = Date.now();
				inFlight--;
			});
			response.once('finish', close);
			response.once('close', close);
			next();
		},

		/** Middleware after the body parser: adds the body to the record. */
		start(request: Request, response: Response, next: NextFunction) {
			recordOf(response).body = request.body;
			next();
		},
	};
}
