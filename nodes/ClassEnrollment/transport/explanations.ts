import { isObject } from '../values/json';
import type { Fate } from './fate';
import type { NoResponse, ServiceRequest, ServiceResponse } from './http';
import { BLOCKED, CANCELLED, CERTIFICATE, TIMEOUT } from './noResponse';
import { type FailureCause, TRY_LATER } from './serviceError';

/** What happened, what the user can do about it, and when it is worth another try. */
export interface Explanation {
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
const CUT_OFF = 'ERR_BAD_RESPONSE';
const MAX_MESSAGE_LENGTH = 500;
const REJECTED = 'The service rejected the request';

const rejected: Explain = ({ likelyCauses }) => ({
	problem: REJECTED,
	advice: likelyCauses,
	cause: 'configuration-invalid',
});
const always =
	(problem: string, advice: string, cause: FailureCause): Explain =>
	() => ({ problem, advice, cause });
const unclear = always(
	'The service returned an unclear response',
	CHECK_BASE_URL,
	'configuration-invalid',
);

/** By status; the first digit stands for all other statuses that begin with it. */
const BY_STATUS: Readonly<Record<number, Explain>> = {
	3: explainRedirect,
	300: unclear,
	304: unclear,
	4: always(REJECTED, "Check this node's parameters.", 'configuration-invalid'),
	5: always('The service returned a server error', TRY_LATER, 'temporarily-unavailable'),
	400: rejected,
	401: always('The service did not accept the access token', CHECK_TOKEN, 'credential-invalid'),
	403: always(
		'The access token does not have permission for this operation',
		"Use a 'Class Enrollment API' credential whose token has it.",
		'credential-invalid',
	),
	404: ({ likelyCauses }) => ({
		problem: 'The service returned "not found"',
		advice: `${likelyCauses} ${CHECK_BASE_URL}`,
		cause: 'configuration-invalid',
	}),
	408: always('The service timed out', TRY_LATER, 'temporarily-unavailable'),
	413: always(
		'The request is too large for the service',
		"Send fewer students per request: reduce 'Batch Size'.",
		'configuration-invalid',
	),
	422: rejected,
	429: always(
		'Too many requests',
		"Lower 'Max Concurrent Requests' or raise 'Max Retries' under Request Options in the node's settings.",
		'rate-limited',
	),
	503: always('The service is not available right now', TRY_LATER, 'temporarily-unavailable'),
};

const BY_CODE: ReadonlyArray<[codes: RegExp, reason: string]> = [
	[/^ECONNREFUSED$/, 'connection refused'],
	[/^ENOTFOUND$/, 'the host does not exist'],
	[/^EAI_AGAIN$/, 'the host name could not be resolved'],
	[/^E(HOST|NET)UNREACH$/, 'the host is unreachable'],
	[TIMEOUT, 'it took too long to respond'],
	[/^ERR_BAD_RESPONSE$/, 'the response was cut off'],
	[/^(ECONNRESET|EPIPE)$/, 'the connection was closed'],
	[/^EPROTO$/, 'it does not support HTTPS'],
	[
		CERTIFICATE,
		"its security certificate cannot be trusted. If you trust the service, turn on 'Ignore SSL Issues' under Request Options",
	],
	[/SSL|TLS/, 'the encrypted connection failed'],
	[
		/^ERR_INVALID_CHAR$/,
		'the access token contains a character that cannot be sent. Copy it into the credential again',
	],
];

/** Explains a response that is no success, for the user and for n8n. */
export function explainResponse(
	request: ServiceRequest,
	response: ServiceResponse,
	fate: Fate,
): Explanation {
	const { status, text, json } = response;
	const kind = Math.floor(status / 100);
	if (kind === 2 && json === undefined) return explainText(text);
	// A success status whose body says something else.
	const explainSuccess = fate === 'rejected' ? rejected : unclear;
	const explain = kind === 2 ? explainSuccess : (BY_STATUS[status] ?? BY_STATUS[kind] ?? unclear);
	const { problem, ...rest } = explain(request, response);
	return { problem: `${problem} (status ${status})${whatItSaid(json, text)}`, ...rest };
}

/**
 * Explains why no response came, or not all of it. Says which address could not be reached.
 * @param usesProxy whether the proxy may be what did not respond
 */
export function explainNoResponse({ code, url }: NoResponse, usesProxy: boolean): Explanation {
	const cause = 'temporarily-unavailable';
	const address = usesProxy ? `${url} through the proxy` : url;
	if (code === CANCELLED) return { problem: 'The execution was cancelled', advice: '', cause };
	if (code === CUT_OFF) {
		return { problem: `The response from ${address} was cut off`, advice: TRY_LATER, cause };
	}
	if (BLOCKED.test(code)) {
		return {
			problem: `n8n blocked the request to ${url}`,
			advice:
				"This n8n protects itself against requests to internal addresses. Check the Base URL of the credential 'Class Enrollment API', or ask your n8n administrator to allow its host (N8N_SSRF_ALLOWED_HOSTNAMES).",
			cause: 'configuration-invalid',
		};
	}
	return {
		problem: `No response from ${address}: ${explainCode(code)}`,
		advice: usesProxy
			? "Check the Proxy under Request Options in the node's settings, and the Base URL of the credential 'Class Enrollment API'."
			: "Check the Base URL of the credential 'Class Enrollment API' and that this n8n can reach it.",
		cause,
	};
}

/** Says why no response came, from a Node.js error code. */
export function explainCode(code: string): string {
	return BY_CODE.find(([codes]) => codes.test(code))?.[1] ?? `the connection failed with ${code}`;
}

function whatItSaid(json: unknown, text: string): string {
	if (!isObject(json)) return '';
	const { message, error, errors } = json;
	const parts = [message ?? error ?? errors ?? ''].flat();
	// Another form is shown as it came: writing it anew could fail where it is very deep.
	const isText = parts.every((part) => typeof part === 'string');
	const said = (isText ? parts.join('; ') : text).trim();
	return said === '' ? '' : `: ${said.slice(0, MAX_MESSAGE_LENGTH)}`;
}

function explainText(text: string): Explanation {
	const what = /^\s*</.test(text) ? 'a web page instead of JSON' : 'text that is not JSON';
	return {
		problem: `The service returned ${what}`,
		advice: CHECK_BASE_URL,
		cause: 'configuration-invalid',
	};
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
