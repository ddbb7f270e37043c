import { ConnectionError, type ServiceRequest, type ServiceResponse, TLS_FAULT } from './http';
import { parseJson, toObject } from './json';
import type { Outcome } from './retry';
import { ServiceError } from './serviceError';

interface Explanation {
	problem: string;
	advice: string;
}

type Explain = (request: ServiceRequest, response: ServiceResponse) => Explanation;

const LONGEST_MESSAGE = 500;
const CHECK_TOKEN =
	"Check the Access Token of the credential 'Class Enrollment API': it may be mistyped, expired or revoked.";
const NOT_AN_API =
	"Check the Base URL of the credential 'Class Enrollment API'. It must point to the API, including the version, as in https://api.example.com/v1, not to a web page.";
const OUTCOME_UNKNOWN =
	"It is unknown whether the request took effect. The node's setting 'Retry On Fail' would send it again.";
const REJECTED = 'The service rejected the request';

const rejected: Explain = ({ likelyCauses }) => ({ problem: REJECTED, advice: likelyCauses });
const always =
	(problem: string, advice: string): Explain =>
	() => ({ problem, advice });

/** By status; the first digit stands for all other statuses that begin with it. */
const BY_STATUS: Readonly<Record<number, Explain>> = {
	3: explainRedirect,
	4: always(REJECTED, "Check this node's parameters."),
	5: ({ method }) => ({
		problem: 'The service failed',
		advice: method === 'GET' ? 'Try again later.' : OUTCOME_UNKNOWN,
	}),
	400: rejected,
	401: always('The service did not accept the access token', CHECK_TOKEN),
	403: always(
		'The access token lacks permission for this',
		"Use a 'Class Enrollment API' credential that has it.",
	),
	404: ({ likelyCauses }) => ({
		problem: 'The service returned "not found"',
		advice: `${likelyCauses} ${NOT_AN_API}`,
	}),
	413: always(
		'The request is too large for the service',
		"Send less in one request, for example with a smaller 'Batch Size'.",
	),
	422: rejected,
	429: always(
		'Too many requests',
		"Lower 'Max Concurrent Requests' or raise 'Max Retries' under Request Options in the node's settings.",
	),
	503: always(
		'The service is not available right now',
		'This request changed nothing. Try again later.',
	),
};

const BY_CODE: ReadonlyArray<[codes: RegExp, reason: string]> = [
	[/^ECONNREFUSED$/, 'connection refused'],
	[/^ENOTFOUND$/, 'the host does not exist'],
	[/^EAI_AGAIN$/, 'the host name could not be resolved'],
	[/^E(HOST|NET)UNREACH$/, 'the host is unreachable'],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'it took too long to respond'],
	[/^ERR_BAD_RESPONSE$/, 'the response was cut off'],
	[/^(ECONNRESET|EPIPE)$/, 'it closed the connection without a response'],
	[/^EPROTO$|SSL/, 'it does not support HTTPS'],
	[
		TLS_FAULT,
		"its security certificate cannot be trusted. If you trust the service, turn on 'Ignore SSL Issues' under Request Options",
	],
	[
		/^ERR_INVALID_CHAR$/,
		'the access token contains a character that cannot be sent. Copy it into the credential again',
	],
];

/**
 * The error for a response that is no success. Its message contains what the service said, its description what to do.
 * @param response of an error status, or of a success status whose body says that it is none
 */
export function responseError(request: ServiceRequest, response: ServiceResponse): ServiceError {
	const { status, text } = response;
	const explain = BY_STATUS[status] ?? BY_STATUS[Math.floor(status / 100)] ?? BY_STATUS[4]!;
	const { problem, advice } = explain(request, response);
	const said = serviceMessage(text);
	return new ServiceError({
		message: `${problem} (status ${status})${said === undefined ? '' : `: ${said}`}`,
		description: advice,
		status,
		mayHaveTakenEffect: request.method !== 'GET' && status >= 500 && status !== 503,
	});
}

/** The error for a success status whose body is not the JSON that is due. */
export function notJsonError(
	{ method }: ServiceRequest,
	{ status, text }: ServiceResponse,
): ServiceError {
	const isWrite = method !== 'GET';
	const what = /^\s*</.test(text) ? 'a web page instead of JSON' : 'text that is not JSON';
	return new ServiceError({
		message: `The service returned ${what}`,
		description: isWrite ? `${OUTCOME_UNKNOWN} ${NOT_AN_API}` : NOT_AN_API,
		status,
		mayHaveTakenEffect: isWrite,
	});
}

/**
 * The error for a request without a response. Says which address could not be reached.
 * @param usesProxy whether the proxy may be what did not respond
 */
export function noResponseError(
	request: ServiceRequest,
	{ code, url, mayHaveArrived }: ConnectionError,
	usesProxy: boolean,
): ServiceError {
	const mayHaveTakenEffect = mayHaveArrived && request.method !== 'GET';
	const check = usesProxy
		? "Check the Proxy under Request Options in the node's settings, and the Base URL of the credential 'Class Enrollment API'."
		: "Check the Base URL of the credential 'Class Enrollment API' and that this n8n can reach it.";
	return new ServiceError({
		message: `No response from ${url}${usesProxy ? ' through the proxy' : ''}: ${reasonOf(code)}`,
		description: mayHaveTakenEffect ? OUTCOME_UNKNOWN : `Nothing was changed. ${check}`,
		mayHaveTakenEffect,
	});
}

/**
 * The error for a request that was not sent, because the service was down.
 * @param lastProbe the outcome of the last request that was sent to find out
 */
export function notSentError(lastProbe: Outcome): ServiceError {
	const reason =
		lastProbe instanceof ConnectionError ? reasonOf(lastProbe.code) : `status ${lastProbe.status}`;
	return new ServiceError({
		message: `Not sent, the service was down (${reason})`,
		description: 'Nothing was changed. Try again later.',
		mayHaveTakenEffect: false,
	});
}

function explainRedirect({ path }: ServiceRequest, { location }: ServiceResponse): Explanation {
	const [address = ''] = location.split('?');
	const where = address.endsWith(path)
		? ` The new Base URL would be ${address.slice(0, -path.length)}`
		: ` It points to ${address}`;
	return {
		problem: 'The service has moved to another address',
		advice: `Redirects are not followed, because that would send your token along. If you trust the new address, set it as the Base URL of the credential 'Class Enrollment API'.${address === '' ? '' : where}`,
	};
}

function reasonOf(code: string): string {
	return BY_CODE.find(([codes]) => codes.test(code))?.[1] ?? `the connection failed with ${code}`;
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
