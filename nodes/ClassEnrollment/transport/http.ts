import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IExecuteFunctions,
	IExecuteSingleFunctions,
	IHttpRequestMethods,
	IHttpRequestOptions,
	ILoadOptionsFunctions,
	IN8nHttpFullResponse,
	IPollFunctions,
} from 'n8n-workflow';
import { parseJson } from '../values/json';
import type { Fate } from './fate';
import { createMask, type Mask } from './mask';
import { toNoResponse } from './noResponse';
import { askedDelay } from './retryDelay';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';

/** Every place in n8n from which the node calls the service. */
export type N8nContext =
	IExecuteFunctions | IExecuteSingleFunctions | ILoadOptionsFunctions | IPollFunctions;

/** Which service to call, and as whom. */
export interface ServiceAccess {
	/** Without a slash at the end. */
	baseUrl: string;
	accessToken: string;
	/** The credential's fields, handed to n8n's helper, which would otherwise decrypt them for every request. */
	credential: ICredentialDataDecryptedObject;
}

/** How a request is sent. The timeout, in milliseconds, is for the whole request, however slowly the response comes. */
export interface HttpSettings extends Pick<
	IHttpRequestOptions,
	'proxy' | 'skipSslCertificateValidation'
> {
	timeout: number;
}

/** A request relative to the Base URL. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST' | 'DELETE'>;
	/** Relative to the Base URL, with every part percent-encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether a second time does harm, such as a second email. */
	isOnceOnly?: boolean;
	/** Whether it asks for something that need not exist, so that an error status says nothing about the service. */
	mayNotExist?: boolean;
	/** What usually makes the service reject this request, for the error's description. */
	likelyCauses: string;
}

/** A response with any status. */
export interface ServiceResponse {
	status: number;
	hasRetryAfter: boolean;
	/** How long the service asks to wait, in milliseconds. */
	retryAfterMs?: number;
	location: string;
	text: string;
	/** The text as JSON; undefined if it is not JSON. */
	json: unknown;
}

/** Why no response came, or not all of it. */
export interface NoResponse {
	status?: undefined;
	/** A Node.js error code. */
	code: string;
	url: string;
	fate: Extract<Fate, 'deferred' | 'unknown' | 'hopeless'>;
}

/** Sends a request once. */
export type Exchange = (request: ServiceRequest) => Promise<ServiceResponse | NoResponse>;

// Node.js takes a longer time for no time at all.
const MAX_TIMEOUT_MS = 2 ** 31 - 1;

/** Creates the function that sends a request once, through n8n's helper, and returns what came back. */
export function createExchange(
	context: N8nContext,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	settings: HttpSettings,
): Exchange {
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data: credential };
	const mask = createMask(accessToken);

	return async (request) => {
		const url = `${baseUrl}${request.path}`;
		const maskedUrl = mask.text(url);
		const timeLimit = AbortSignal.timeout(Math.min(settings.timeout, MAX_TIMEOUT_MS));
		const reply = context.helpers.httpRequestWithAuthentication
			.call(withTimeLimit(context, timeLimit), CREDENTIAL_TYPE, toOptions(url, request, settings), {
				credentialsDecrypted,
			})
			.then(
				(response: unknown) => toResponse(response as IN8nHttpFullResponse, mask),
				(error: unknown) => toNoResponse(error, maskedUrl),
			);
		return await Promise.race([reply, timeOver(timeLimit, maskedUrl)]);
	};
}

function toOptions(
	url: string,
	{ method, query, body }: ServiceRequest,
	settings: HttpSettings,
): IHttpRequestOptions {
	return {
		...settings,
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
	};
}

function toResponse(
	{ statusCode, headers, body }: IN8nHttpFullResponse,
	mask: Mask,
): ServiceResponse {
	// Text, because of the encoding.
	const text = body as string;
	const header = (name: string) => String(headers[name] ?? '');
	return {
		status: statusCode,
		hasRetryAfter: header('retry-after') !== '',
		retryAfterMs: askedDelay(statusCode, header),
		location: mask.text(header('location')),
		text: mask.text(text),
		json: mask.json(parseJson(text)),
	};
}

async function timeOver(timeLimit: AbortSignal, url: string): Promise<NoResponse> {
	await new Promise((resolve) => timeLimit.addEventListener('abort', resolve));
	return { code: 'ETIMEDOUT', url, fate: 'unknown' };
}

/**
 * Returns the context for one request that must end in time. n8n's timeout is for silence only; a request also ends
 * with the signal by which n8n's helper finds out that the execution was cancelled.
 */
function withTimeLimit<Context extends N8nContext>(
	context: Context,
	timeLimit: AbortSignal,
): Context {
	const cancelled =
		'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
	const signal = cancelled ? AbortSignal.any([cancelled, timeLimit]) : timeLimit;
	return Object.create(context, { getExecutionCancelSignal: { value: () => signal } }) as Context;
}
