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

	const limited = createLimitedContext(context);

	return async (request) => {
		const url = `${baseUrl}${request.path}`;
		const maskedUrl = mask.text(url);
		const options = toOptions(url, request, settings);
		const send = async (end: AbortSignal): Promise<ServiceResponse | NoResponse> =>
			await context.helpers.httpRequestWithAuthentication
				.call(limited(end), CREDENTIAL_TYPE, options, { credentialsDecrypted })
				.then(
					(response: unknown) => toResponse(response as IN8nHttpFullResponse, mask),
					(error: unknown) => toNoResponse(error, maskedUrl),
				);
		const late: NoResponse = { code: 'ETIMEDOUT', url: maskedUrl, fate: 'unknown' };
		return await inTime(send, settings.timeout, cancelSignalOf(context), late);
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

/** Ends a request when its time is over or the execution is cancelled; returns `late` if the time is over. */
async function inTime<Reply>(
	send: (end: AbortSignal) => Promise<Reply>,
	milliseconds: number,
	cancelled: AbortSignal | undefined,
	late: Reply,
): Promise<Reply> {
	const end = new AbortController();
	const timeLimit = AbortSignal.timeout(Math.min(milliseconds, MAX_TIMEOUT_MS));
	const abort = () => end.abort();
	// Some requests do not end with their signal.
	const timeOver = new Promise<Reply>((resolve) =>
		end.signal.addEventListener('abort', () => timeLimit.aborted && resolve(late)),
	);
	timeLimit.addEventListener('abort', abort);
	cancelled?.addEventListener('abort', abort);
	try {
		if (cancelled?.aborted) abort();
		return await Promise.race([send(end.signal), timeOver]);
	} finally {
		// Otherwise the request would stay in memory until its time is over.
		timeLimit.removeEventListener('abort', abort);
		cancelled?.removeEventListener('abort', abort);
	}
}

function cancelSignalOf(context: N8nContext): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Returns a function that makes the context for a request that must end in time. n8n's timeout is for silence only; a
 * request also ends with the signal by which n8n's helper finds out that the execution was cancelled. The helper asks
 * for it as soon as it is called, so that all requests can share the context.
 */
function createLimitedContext<Context extends N8nContext>(
	context: Context,
): (end: AbortSignal) => Context {
	let signal: AbortSignal;
	const limited = Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as Context;
	return (end) => {
		signal = end;
		return limited;
	};
}
