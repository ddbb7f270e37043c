import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import escapeRegExp from 'lodash/escapeRegExp';
import { NodeApiError } from 'n8n-workflow';
import { InvalidValueError, quote } from '../values/invalidValue';
import type { RequestSettings } from './requestOptions';
import { CancelledError } from './wait';

const CREDENTIAL = 'classEnrollmentApi';
// A shorter text could turn up in an answer by chance.
const SHORTEST_SECRET = 8;
/** Codes of faults in setting up an encrypted connection. */
export const TLS_FAULT =
	/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH|ERR_TLS|SSL|^EPROTO$/;

interface ConnectionFault {
	code?: string;
	syscall?: string;
	cause?: { errors?: ConnectionFault[] };
}

/** Every place of n8n from which the node talks to the service. */
export type N8nContext =
	IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** A request below the Base URL. */
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
	/** The headers of these names, empty where they are not sent. */
	retryAfter: string;
	location: string;
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

/** Sends a request once. */
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
	const credential = await context.getCredentials<ICredentialDataDecryptedObject>(CREDENTIAL);
	// Handed over, since n8n would read and decrypt it anew for every request.
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL, data: credential };
	const baseUrl = readBaseUrl(credential.baseUrl);
	const mask = createMask(String(credential.accessToken).trim());

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
				{ credentialsDecrypted },
			)) as IN8nHttpFullResponse;
			return {
				status: response.statusCode,
				retryAfter: String(response.headers['retry-after'] ?? '').trim(),
				location: mask(String(response.headers.location ?? '')),
				text: mask(asText(response.body)),
			};
		} catch (error) {
			throw asNoAnswer(error, url);
		}
	};
}

function readBaseUrl(value: unknown): string {
	const text = String(value ?? '').trim();
	// A user name in the address would go out in place of the access token.
	if (!/^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i.test(text) || !URL.canParse(text)) {
		throw new InvalidValueError(
			'Base URL',
			`of the credential is not the address of a service${/[?@]/.test(text) ? '' : `: ${quote(text)}`}`,
			"Open the credential 'Class Enrollment API' and enter an address such as https://api.example.com/v1.",
		);
	}
	return text.replace(/\/+$/, '');
}

function asText(body: unknown): string {
	if (typeof body === 'string') return body;
	return body === undefined || body === null ? '' : JSON.stringify(body);
}

/** Gives what hides the secret in a text, also in the forms it takes inside JSON and URLs. */
function createMask(secret: string): (text: string) => string {
	if (secret.length < SHORTEST_SECRET) return (text) => text;
	const inJson = escapeRegExp(secret).replaceAll('/', '\\\\?/');
	const forms = new RegExp(`${inJson}|${escapeRegExp(encodeURIComponent(secret))}`, 'g');
	return (text) => text.replace(forms, '***');
}

function asNoAnswer(error: unknown, url: string): unknown {
	if (!(error instanceof NodeApiError)) return error;
	// What n8n's HTTP client threw; where it is missing, n8n has put its code into httpCode.
	const cause = (error.cause ?? {}) as ConnectionFault;
	const code = cause.code ?? error.httpCode ?? error.message;
	if (code === 'ERR_CANCELED') return new CancelledError();
	// Where a host has several addresses, the faults of all of them are below.
	const fault = cause.cause?.errors?.[0] ?? cause;
	return new NoAnswerError(code, url, !neverConnected(code, fault.syscall));
}

function neverConnected(code: string, syscall: unknown): boolean {
	return (
		syscall === 'connect' ||
		['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH'].includes(code) ||
		TLS_FAULT.test(code) ||
		code.startsWith('ERR_INVALID')
	);
}
