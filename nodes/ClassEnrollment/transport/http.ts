import type {
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	IN8nHttpFullResponse,
} from 'n8n-workflow';
import { createMask } from './mask';
import { noResponse, TIMED_OUT, toNoResponse } from './noResponse';
import type { Outcome } from './outcome';
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

/** The requests under way. To abort one, with the code of a missing response, ends it. */
export type InFlight = Set<AbortController>;

/** Sends a request once. */
export type Exchange = (request: ServiceRequest) => Promise<Outcome>;

/**
 * Creates the function that sends a request once, through n8n's helper, and returns what became of it.
 */
export function createExchange(
	context: IAllExecuteFunctions,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	http: HttpSettings,
	inFlight: InFlight,
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
		const timeout = AbortSignal.timeout(http.timeout);
		const ending = new AbortController();
		const onTimeout = () => ending.abort(TIMED_OUT);
		timeout.addEventListener('abort', onTimeout);
		inFlight.add(ending);
		const ended = new Promise<Outcome>((resolve) => {
			ending.signal.addEventListener('abort', () =>
				resolve(noResponse(ending.signal.reason as string, address)),
			);
		});
		const answered = context.helpers.httpRequestWithAuthentication
			.call(withSignal(context, ending.signal), CREDENTIAL_TYPE, options, { credentialsDecrypted })
			.then((response: unknown) => toOutcome(request, response as IN8nHttpFullResponse, mask))
			.catch((error: unknown) => toNoResponse(error, address));
		// Some requests do not heed the signal.
		return await Promise.race([ended, answered]).finally(() => {
			timeout.removeEventListener('abort', onTimeout);
			inFlight.delete(ending);
		});
	};
}

/** The context for a request that ends with a signal: n8n's helper asks it whether the execution was cancelled. */
function withSignal<Context extends IAllExecuteFunctions>(context: Context, signal: AbortSignal) {
	const getExecutionCancelSignal = () => signal;
	return Object.assign(Object.create(context) as Context, { getExecutionCancelSignal });
}
