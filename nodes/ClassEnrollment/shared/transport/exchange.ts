import type {
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import { NodeApiError } from 'n8n-workflow';
import { InvalidValueError, quote } from '../values/invalidValue';
import type { RequestSettings } from './requestOptions';
import { CancelledError } from './wait';

const CREDENTIAL = 'classEnrollmentApi';
// A shorter text could turn up in an answer by chance.
const SHORTEST_SECRET = 8;

/** Every place of n8n from which the node talks to the service. */
export type N8nContext =
	IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST' | 'DELETE'>;
	/** Below the Base URL, with every part percent-encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** What usually makes the service refuse this request with status 400, for the message to the user. */
	likelyCauses: string;
}

/** An answer of any status. */
export interface Answer {
	status: number;
	headers: Record<string, unknown>;
	text: string;
}

/** No answer came: why, as a Node.js error code. */
export class NoAnswerError extends Error {
	constructor(
		readonly code: string,
		readonly url: string,
		/** Whether the request can have reached the service. */
		readonly mayHaveArrived: boolean,
	) {
		super(code);
	}
}

export type Exchange = (request: ServiceRequest) => Promise<Answer>;

/**
 * Prepares sending requests with the node's credential.
 * @returns a function that sends one request once and gives the answer, whatever its status;
 * it throws NoAnswerError where none came and CancelledError where the execution was cancelled
 * @throws InvalidValueError where the credential's Base URL cannot be used
 */
export async function openExchange(
	context: N8nContext,
	http: RequestSettings['http'],
): Promise<Exchange> {
	const credential = await context.getCredentials<{ baseUrl: unknown; accessToken: unknown }>(
		CREDENTIAL,
	);
	const baseUrl = readBaseUrl(credential.baseUrl);
	const secret = String(credential.accessToken).trim();

	return async ({ method, path, query, body }) => {
		const url = `${baseUrl}${path}`;
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL,
				{
					...http,
					method,
					url,
					qs: query,
					body,
					json: true,
					encoding: 'text',
					returnFullResponse: true,
					// n8n would repeat a request after a 401, and hide what the service said.
					ignoreHttpStatusErrors: true,
					// n8n would send the token along to wherever a redirect points.
					disableFollowRedirect: true,
				},
			)) as IN8nHttpFullResponse;
			return {
				status: response.statusCode,
				headers: response.headers,
				text: withoutSecret(asText(response.body), secret),
			};
		} catch (error) {
			throw asNoAnswer(error, url);
		}
	};
}

function readBaseUrl(value: unknown): string {
	const text = String(value ?? '').trim();
	const isWebAddress = /^https?:\/\/[^\s/]/i.test(text) && URL.canParse(text);
	if (!isWebAddress || /[?#]/.test(text)) {
		throw new InvalidValueError(
			'Base URL',
			`of the credential is not the address of a service: ${quote(text)}`,
			"Open the credential 'Class Enrollment API' and enter an address such as https://api.example.com/v1.",
		);
	}
	return text.replace(/\/+$/, '');
}

function asText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

function withoutSecret(text: string, secret: string): string {
	return secret.length < SHORTEST_SECRET ? text : text.replaceAll(secret, '***');
}

function asNoAnswer(error: unknown, url: string): unknown {
	// n8n wraps what its HTTP client threw in a NodeApiError, whose httpCode is then no status but the code.
	const { code, syscall } = (error instanceof NodeApiError ? (error.cause ?? {}) : error) as {
		code?: unknown;
		syscall?: unknown;
	};
	const reason = code ?? (error instanceof NodeApiError ? error.httpCode : undefined);
	if (reason === 'ERR_CANCELED') return new CancelledError();
	if (typeof reason !== 'string') return error;
	return new NoAnswerError(reason, withoutUserInfo(url), !neverConnected(reason, syscall));
}

function neverConnected(code: string, syscall: unknown): boolean {
	return (
		syscall === 'connect' ||
		['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) ||
		/CERT|SELF_SIGNED|^ERR_TLS|^EPROTO$|^ERR_INVALID/.test(code)
	);
}

function withoutUserInfo(url: string): string {
	const { origin, pathname } = new URL(url);
	return `${origin}${pathname}`;
}
