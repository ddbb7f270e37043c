import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import type { Outcome } from './fate';
import { createMask } from './mask';
import { noResponse, TIMED_OUT, toNoResponse } from './noResponse';
import type { ServiceRequest } from './request';
import { toOutcome } from './response';
import { CANCELLED } from './serviceError';
import type { TimeLimit } from './timeLimit';

export const CREDENTIAL_TYPE = 'classEnrollmentApi';

/** Which service to call, and as whom. */
export interface ServiceAccess {
	/** Without a slash at the end. */
	baseUrl: string;
	accessToken: string;
	/** Stands for all of it. */
	key: string;
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
 * @param limitTime ends a request that takes too long, however slowly the response comes, or that is cancelled
 */
export function createExchange(
	context: IAllExecuteFunctions,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	http: HttpSettings,
	limitTime: TimeLimit,
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
		const address = { url: mask.text(url), usesProxy: http.proxy !== undefined };
		const options: IHttpRequestOptions = { method, url, qs: query, body, ...settings };
		const send = async (signal: AbortSignal): Promise<Outcome> =>
			await context.helpers.httpRequestWithAuthentication
				.call(withSignal(context, signal), CREDENTIAL_TYPE, options, { credentialsDecrypted })
				.then((response: unknown) => toOutcome(request, response as IN8nHttpFullResponse, mask))
				.catch((error: unknown) => toNoResponse(error, address));
		return await limitTime(send, (isCancelled) =>
			noResponse(isCancelled ? CANCELLED : TIMED_OUT, address),
		);
	};
}

/** The context for a request that ends with a signal: n8n's helper asks it whether the execution was cancelled. */
function withSignal<Context extends IAllExecuteFunctions>(context: Context, signal: AbortSignal) {
	const getExecutionCancelSignal = () => signal;
	return Object.assign(Object.create(context) as Context, { getExecutionCancelSignal });
}
