import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { Outcome } from './fate';
import { createMask } from './mask';
import { CANCELLED, noResponse, TIMED_OUT, toNoResponse } from './noResponse';
import type { ServiceRequest } from './request';
import { toOutcome } from './response';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';

/** Which service to call, and as whom. */
export interface ServiceAccess {
	/** Without a slash at the end. */
	baseUrl: string;
	accessToken: string;
	/** The credential's fields, handed to n8n's helper, which would otherwise decrypt them for every request. */
	credential: ICredentialDataDecryptedObject;
}

/** How a request is sent. The timeout is in milliseconds. */
export type HttpSettings = Pick<IHttpRequestOptions, 'proxy' | 'skipSslCertificateValidation'> &
	Required<Pick<IHttpRequestOptions, 'timeout'>>;

/** Sends a request once. */
export type Exchange = (request: ServiceRequest) => Promise<Outcome>;

/**
 * Creates the function that sends a request once, through n8n's helper, and returns what became of it.
 * @param cancelSignal ends all requests when it aborts
 */
export function createExchange(
	context: IAllExecuteFunctions,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	http: HttpSettings,
	cancelSignal: AbortSignal,
): Exchange {
	const settings = {
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

	return async (request) => {
		const { method, path, query, body } = request;
		const url = `${baseUrl}${path}`;
		const address = { url: mask(url), usesProxy: http.proxy !== undefined };
		const options: IHttpRequestOptions = { method, url, qs: query, body, ...settings };
		// n8n's own timeout only limits silence.
		const signal = AbortSignal.any([AbortSignal.timeout(http.timeout), cancelSignal]);
		const ended = new Promise<Outcome>((resolve) => {
			signal.addEventListener('abort', () =>
				resolve(noResponse(cancelSignal.aborted ? CANCELLED : TIMED_OUT, address)),
			);
		});
		const answered = context.helpers.httpRequestWithAuthentication
			.call(withSignal(context, signal), CREDENTIAL_TYPE, options, { credentialsDecrypted })
			.then((response: unknown) => toOutcome(request, response as IN8nHttpFullResponse, mask))
			.catch((error: unknown) => toNoResponse(error, address));
		// Some requests do not heed the signal.
		return await Promise.race([ended, answered]);
	};
}

/** The context for a request that ends with a signal: n8n's helper asks it whether the execution was cancelled. */
function withSignal<Context extends IAllExecuteFunctions>(context: Context, signal: AbortSignal) {
	const getExecutionCancelSignal = () => signal;
	return Object.assign(Object.create(context) as Context, { getExecutionCancelSignal });
}
