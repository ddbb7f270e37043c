import type { ErrorRequestHandler, RequestHandler } from 'express';
import { middleware } from 'express-openapi-validator';
import { join } from 'node:path';
import { recordOf } from './requestLog';

/** A request, or a regular response, that does not match openapi.yaml. */
export interface Violation {
	by: 'request' | 'answer';
	method: string;
	path: string;
	message: string;
}

let contractCheck: RequestHandler[] | undefined;

/**
 * Middleware that checks the app's `accessToken`, and all requests and responses against openapi.yaml.
 * All services of a process share it, because the contract takes long to compile.
 */
export function checkContract(): RequestHandler[] {
	contractCheck ??= middleware({
		apiSpec: join(__dirname, 'openapi.yaml'),
		validateRequests: true,
		validateResponses: true,
		validateSecurity: {
			handlers: {
				bearerAuth: ({ headers, app }) =>
					headers.authorization === `Bearer ${String(app.locals.accessToken)}`,
			},
		},
		ajvFormats: { mode: 'full' },
	}) as RequestHandler[];
	return contractCheck;
}

/** The status to respond with to an error of the validator, the body parser or the router. */
function statusFor({ status = 500 }: { status?: number }): number {
	if (status === 401) return 401;
	if (status === 404 || status === 405) return 404;
	return status < 500 ? 400 : 500;
}

/** Middleware that responds to errors with the error body, and adds violations to the list. */
export function createErrorAnswer(violations: Violation[]): ErrorRequestHandler {
	return (error: Error & { status?: number }, _request, response, next) => {
		if (response.headersSent) return next(error);
		const status = statusFor(error);
		if (status !== 401) {
			const { method, path } = recordOf(response);
			const by = status < 500 ? 'request' : 'answer';
			violations.push({ by, method, path, message: error.message });
		}
		const message = status === 401 ? 'Unauthorized' : error.message;
		response.status(status).json({ status: 'error', message });
	};
}
