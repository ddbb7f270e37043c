import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IExecuteFunctions,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { createMask } from './mask';
import { networkFailure, resultOfError } from './networkFailure';
import type { AttemptResult } from './outcome';
import type { ServiceRequest } from './request';
import { toAttemptResult } from './response';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';

/** Which service to call, and as whom. */
export interface ServiceAccess {
	/** Without a slash at the end. */
	baseUrl: string;
	/** Kept to mask it, and to tell it from other tokens. */
	accessToken: string;
	/** Its fields, from which `authenticate` makes the header. n8n's helper would decrypt them for every request. */
	credential: ICredentialDataDecryptedObject;
}

/** How a request is sent. The timeout is in milliseconds. */
export type HttpSettings = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'> &
	Required<Pick<IHttpRequestOptions, 'timeout'>>;

/** Sends a request once, whatever comes of it. */
export type Transport = (request: ServiceRequest) => Promise<AttemptResult>;

/**
 * Creates a transport over n8n's helper. If the execution is cancelled, or it takes too long, n8n ends the request.
 */
export function createTransport(
	context: IAllExecuteFunctions,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	http: HttpSettings,
): Transport {
	const settings = {
		// Only sets the Accept header; the body stays text, which `readResponse` parses.
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
	const cancelSignal = (context as Partial<IExecuteFunctions>).getExecutionCancelSignal?.();

	return async (request) => {
		const { method, path, query, body } = request;
		const url = `${baseUrl}${path}`;
		const address = { url: mask.inMessage(url), usesProxy: http.proxy !== undefined };
		const options: IHttpRequestOptions = { method, url, qs: query, body, ...settings };
		const ended = new AbortController();
		const signals = cancelSignal ? [cancelSignal, ended.signal] : [ended.signal];
		const caller = withSignal(context, AbortSignal.any(signals));
		const sending = httpRequestWithAuthentication
			.call(caller, CREDENTIAL_TYPE, options, { credentialsDecrypted })
			.then((response: IN8nHttpFullResponse) => toAttemptResult(request, response, mask))
			.catch((error: unknown) => resultOfError(error, address));
		// n8n's own timeout only limits silence, and not that of a proxy. n8n allows no `setTimeout`, and a `sleep` would last on.
		const timeout = AbortSignal.timeout(http.timeout);
		const tooLong = new Promise<AttemptResult>((resolve) => {
			timeout.onabort = () => {
				resolve(networkFailure('ETIMEDOUT', address));
				ended.abort();
			};
		});
		// The helper may not return even then: of a body that only says it is compressed.
		return await Promise.race([sending, tooLong]).finally(() => {
			timeout.onabort = null;
		});
	};
}

/** The same context, but with this cancel signal: n8n's helper asks the context for it. */
function withSignal(context: IAllExecuteFunctions, signal: AbortSignal) {
	const getExecutionCancelSignal = () => signal;
	return Object.assign(Object.create(context) as typeof context, { getExecutionCancelSignal });
}
