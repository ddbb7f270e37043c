import { TIMEOUT, TLS_FAULT } from './connectionError';
import type { ServiceRequest, ServiceResponse } from './http';
import type { FailureCause } from './serviceError';

/** What happened, what the user can do about it, and when it is worth another try. */
interface Explanation {
	problem: string;
	advice: string;
	cause: FailureCause;
}

type Explain = (request: ServiceRequest, response: ServiceResponse) => Explanation;

const CHECK_TOKEN =
	"Check the Access Token of the credential 'Class Enrollment API': it may be mistyped, expired or revoked.";
/** Advice in case the address is wrong. */
export const CHECK_BASE_URL =
	"Check the Base URL of the credential 'Class Enrollment API'. It must point to the API, including the version, as in https://api.example.com/v1, not to a web page.";
export const OUTCOME_UNKNOWN =
	"It is unknown whether the request took effect. The node's setting 'Retry On Fail' would send it again.";
const REJECTED = 'The service rejected the request';

const rejected: Explain = ({ likelyCauses }) => ({
	problem: REJECTED,
	advice: likelyCauses,
	cause: 'configuration-invalid',
});
const always =
	(problem: string, advice: string, cause: FailureCause): Explain =>
	() => ({ problem, advice, cause });

/** By status; the first digit stands for all other statuses that begin with it. */
const BY_STATUS: Readonly<Record<number, Explain>> = {
	3: explainRedirect,
	4: always(REJECTED, "Check this node's parameters.", 'configuration-invalid'),
	5: ({ method }) => ({
		problem: 'The service failed',
		advice: method === 'GET' ? 'Try again later.' : OUTCOME_UNKNOWN,
		cause: 'temporarily-unavailable',
	}),
	400: rejected,
	401: always('The service did not accept the access token', CHECK_TOKEN, 'credential-invalid'),
	403: always(
		'The access token lacks permission for this',
		"Use a 'Class Enrollment API' credential that has it.",
		'credential-invalid',
	),
	404: ({ likelyCauses }) => ({
		problem: 'The service returned "not found"',
		advice: `${likelyCauses} ${CHECK_BASE_URL}`,
		cause: 'configuration-invalid',
	}),
	413: always(
		'The request is too large for the service',
		"Send less in one request, for example with a smaller 'Batch Size'.",
		'configuration-invalid',
	),
	422: rejected,
	429: always(
		'Too many requests',
		"Lower 'Max Concurrent Requests' or raise 'Max Retries' under Request Options in the node's settings.",
		'rate-limited',
	),
	503: always(
		'The service is not available right now',
		'This request changed nothing. Try again later.',
		'temporarily-unavailable',
	),
};

const BY_CODE: ReadonlyArray<[codes: RegExp, reason: string]> = [
	[/^ECONNREFUSED$/, 'connection refused'],
	[/^ENOTFOUND$/, 'the host does not exist'],
	[/^EAI_AGAIN$/, 'the host name could not be resolved'],
	[/^E(HOST|NET)UNREACH$/, 'the host is unreachable'],
	[TIMEOUT, 'it took too long to respond'],
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

/** Explains a failed response, for the user and for n8n. */
export function explainResponse(request: ServiceRequest, response: ServiceResponse): Explanation {
	const { status } = response;
	// A success status whose body says that it failed counts as a rejection.
	const explain = BY_STATUS[status] ?? BY_STATUS[Math.floor(status / 100)] ?? BY_STATUS[4]!;
	return explain(request, response);
}

/** Says why no response came, from a Node.js error code. */
export function explainCode(code: string): string {
	return BY_CODE.find(([codes]) => codes.test(code))?.[1] ?? `the connection failed with ${code}`;
}

function explainRedirect({ path }: ServiceRequest, { location }: ServiceResponse): Explanation {
	const [address = ''] = location.split('?');
	const where = address.endsWith(path)
		? ` The new Base URL would be ${address.slice(0, -path.length)}`
		: ` It points to ${address}`;
	return {
		problem: 'The service has moved to another address',
		advice: `Redirects are not followed, because that would send your token along. If you trust the new address, set it as the Base URL of the credential 'Class Enrollment API'.${address === '' ? '' : where}`,
		cause: 'configuration-invalid',
	};
}
