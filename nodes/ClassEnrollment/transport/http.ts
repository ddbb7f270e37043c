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
import { toConnectionError } from './connectionError';
import { createMask } from './mask';

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

export type HttpSettings = Pick<
	IHttpRequestOptions,
	'timeout' | 'proxy' | 'skipSslCertificateValidation'
>;

/** A request below the Base URL. */
export interface ServiceRequest {
	method: Extract<IHttpRequestMethods, 'GET' | 'POST' | 'DELETE'>;
	/** Below the Base URL, with every part percent-encoded. */
	path: string;
	query?: IDataObject;
	body?: IDataObject;
	/** Whether it asks for something that need not exist, so that an error status says nothing of the service. */
	mayNotExist?: boolean;
	/** What usually makes the service reject this request, for the error's description. */
	likelyCauses: string;
}

/** A response with any status. */
export interface ServiceResponse {
	status: number;
	/** The header of this name, empty if it was not sent. */
	retryAfter: string;
	location: string;
	text: string;
}

/** Sends a request once. */
export type SendOnce = (request: ServiceRequest) => Promise<ServiceResponse>;

/**
 * Creates a function that sends one request once, through n8n's helper, and returns the response whatever its
 * status. It throws a ConnectionError when no response came and a CancelledError when the execution was cancelled.
 */
export function createSender(
	context: N8nContext,
	{ baseUrl, accessToken, credential }: ServiceAccess,
	http: HttpSettings,
): SendOnce {
	const credentialsDecrypted = { id: '', name: '', type: CREDENTIAL_TYPE, data: credential };
	const mask = createMask(accessToken);

	return async ({ method, path, query, body }) => {
		const url = `${baseUrl}${path}`;
		const options: IHttpRequestOptions = {
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
		};
		try {
			const response = (await context.helpers.httpRequestWithAuthentication.call(
				context,
				CREDENTIAL_TYPE,
				options,
				{ credentialsDecrypted },
			)) as IN8nHttpFullResponse;
			return {
				status: response.statusCode,
				retryAfter: String(response.headers['retry-after'] ?? ''),
				location: mask.text(String(response.headers.location ?? '')),
				// Text, because of the encoding.
				text: mask.text(response.body as string),
			};
		} catch (error) {
			throw toConnectionError(error, mask.text(url));
		}
	};
}
