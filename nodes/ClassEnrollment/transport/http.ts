import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { createMask } from './mask';
import { noResponse, toNoResponse } from './noResponse';
import type { AttemptResult } from './outcome';
import type { ServiceRequest } from './request';
import { toAttemptResult } from './response';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';

/** Which service to call, and as whom. */
export interface ServiceAccess {
	/** Without a slash at the end. */
	baseUrl: string;
	/** To mask it, and to tell it from other tokens. */
	accessToken: string;
	/** Its fields, from which `authenticate` makes the header. n8n's helper would decrypt them for every request. */
	credential: ICredentialDataDecryptedObject;
}

/** How a request is sent. The timeout is in milliseconds. */
export type HttpSettings = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'> &
	Required<Pick<IHttpRequestOptions, 'timeout'>>;

export type Exchange = (request: ServiceRequest) => Promise<AttemptResult>;

/**
 * Creates the function that sends a request once, through n8n's helper, and returns the result. If the execution is
 * cancelled, n8n ends the request.
 */
export function createExchange(
	context: IAllExecuteFunctions,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	http: HttpSettings,
): Exchange {
	const settings = {
		// Only the header Accept: the body is text, which `readResponse` masks and parses.
		json: true,
		encoding: 'text',
		returnFullResponse: true,
		// n8n would repeat a request after a 401, and hide what the service said.
		ignoreHttpStatusErrors: true,
		// n8n would send the token along to wherever a redirect points.
		disableFollowRedirect: true,
		skipSslCertificateValidation: credential.ignoreSslIssues === true,
		...http,
	} as const;
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data: credential };
	const mask = createMask(accessToken);
	const { httpRequestWithAuthentication } = context.helpers;
	const caller = withOwnSignals(context);

	return async (request) => {
		const { method, path, query, body } = request;
		const url = `${baseUrl}${path}`;
		const address = { url: mask(url), usesProxy: http.proxy !== undefined };
		const options: IHttpRequestOptions = { method, url, qs: query, body, ...settings };
		const result = httpRequestWithAuthentication
			.call(caller, CREDENTIAL_TYPE, options, { credentialsDecrypted })
			.then((response: unknown) => toAttemptResult(request, response as IN8nHttpFullResponse, mask))
			.catch((error: unknown) => toNoResponse(error, address));
		return await within(http.timeout, result, () => noResponse('ETIMEDOUT', address));
	};
}

/** Waits no longer than so many milliseconds. n8n's own timeout only limits silence, and not that of a proxy. */
async function within(
	milliseconds: number,
	result: Promise<AttemptResult>,
	whenTooLate: () => AttemptResult,
): Promise<AttemptResult> {
	// n8n allows no `setTimeout`, and a `sleep` would last on after the response.
	const timeout = AbortSignal.timeout(milliseconds);
	return await new Promise((resolve) => {
		const end = () => resolve(whenTooLate());
		timeout.addEventListener('abort', end);
		void result.then(resolve).finally(() => timeout.removeEventListener('abort', end));
	});
}

/** The same context, with a new cancel signal for each request: Node.js warns if more than ten listen to the same one. */
function withOwnSignals(context: IAllExecuteFunctions) {
	const cancelSignal = (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.();
	const getExecutionCancelSignal = () => cancelSignal && AbortSignal.any([cancelSignal]);
	return Object.assign(Object.create(context) as typeof context, { getExecutionCancelSignal });
}
