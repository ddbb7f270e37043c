import { explainCode, explainResponse, CHECK_BASE_URL, OUTCOME_UNKNOWN } from './explanations';
import { ConnectionError } from './connectionError';
import type { ServiceRequest, ServiceResponse } from './http';
import { parseJson, toObject } from '../values/json';
import { askedDelay, type Outcome } from './retry';
import { ServiceError } from './serviceError';

const LONGEST_MESSAGE = 500;
const CUT_OFF = 'ERR_BAD_RESPONSE';

/**
 * The error for a failed response. Its message contains what the service said, its description what to do.
 * @param response of an error status, or of a success status whose body says that it failed
 */
export function responseError(request: ServiceRequest, response: ServiceResponse): ServiceError {
	const { status, text } = response;
	const { problem, advice, cause } = explainResponse(request, response);
	const said = serviceMessage(text);
	return new ServiceError({
		message: `${problem} (status ${status})${said === undefined ? '' : `: ${said}`}`,
		description: advice,
		status,
		mayHaveTakenEffect: request.method !== 'GET' && status >= 500 && status !== 503,
		failureCause: cause,
		retryAfterMs: askedDelay(response),
	});
}

/** The error for a success status whose body is not the expected JSON. */
export function notJsonError(
	{ method }: ServiceRequest,
	{ status, text }: ServiceResponse,
): ServiceError {
	const isWrite = method !== 'GET';
	const what = /^\s*</.test(text) ? 'a web page instead of JSON' : 'text that is not JSON';
	return new ServiceError({
		message: `The service returned ${what}`,
		description: isWrite ? `${OUTCOME_UNKNOWN} ${CHECK_BASE_URL}` : CHECK_BASE_URL,
		status,
		mayHaveTakenEffect: isWrite,
		failureCause: 'configuration-invalid',
	});
}

/**
 * The error for a request without a complete response. Says which address could not be reached.
 * @param usesProxy whether the proxy may be what did not respond
 */
export function noResponseError(
	request: ServiceRequest,
	{ code, url, mayHaveArrived }: ConnectionError,
	usesProxy: boolean,
): ServiceError {
	const mayHaveTakenEffect = mayHaveArrived && request.method !== 'GET';
	const isCutOff = code === CUT_OFF;
	const check = usesProxy
		? "Check the Proxy under Request Options in the node's settings, and the Base URL of the credential 'Class Enrollment API'."
		: "Check the Base URL of the credential 'Class Enrollment API' and that this n8n can reach it.";
	const advice = isCutOff ? 'Try again later.' : `Nothing was changed. ${check}`;
	const by = usesProxy ? ' through the proxy' : '';
	return new ServiceError({
		message: isCutOff
			? `The response from ${url}${by} was cut off`
			: `No response from ${url}${by}: ${explainCode(code)}`,
		description: mayHaveTakenEffect ? OUTCOME_UNKNOWN : advice,
		mayHaveTakenEffect,
		failureCause: 'temporarily-unavailable',
	});
}

/**
 * The error for a request that was not sent, because the service was down.
 * @param lastProbe the outcome of the last request that was sent to find out
 */
export function notSentError(lastProbe: Outcome): ServiceError {
	const reason =
		lastProbe instanceof ConnectionError
			? explainCode(lastProbe.code)
			: `status ${lastProbe.status}`;
	return new ServiceError({
		message: `Not sent, the service was down (${reason})`,
		description: 'Nothing was changed. Try again later.',
		mayHaveTakenEffect: false,
		failureCause: 'temporarily-unavailable',
	});
}

function serviceMessage(text: string): string | undefined {
	const { message, error, errors } = toObject(parseJson(text));
	const said = [message ?? error ?? errors ?? '']
		.flat()
		.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
		.join('; ')
		.trim();
	return said === '' ? undefined : said.slice(0, LONGEST_MESSAGE);
}
