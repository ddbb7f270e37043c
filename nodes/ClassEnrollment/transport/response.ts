import { isPlainObject, uniq } from 'lodash';
import type { IN8nHttpFullResponse } from 'n8n-workflow';
import { parseJson, toObject } from '../values/json';
import { textOf } from '../values/text';
import { CHECK_BASE_URL, tryAgainAt } from './advice';
import type { Mask } from './mask';
import { type AttemptResult, type Classification, CLASSIFICATIONS } from './outcome';
import type { ServiceRequest } from './request';
import { parseRetryAfter } from './retry';
import { classifyBody } from './successBody';

/** The classification of a response, what happened, and what the user can do about it. */
type StatusRule = [Classification, problem: string, advice?: string | Advise];
type Advise = (request: ServiceRequest, response: ServiceResponse) => string;
type ServiceResponse = ReturnType<typeof readResponse>;

const MAX_MESSAGE_LENGTH = 500;
const PAGE = /^\s*</;

const likelyCauses: Advise = (request) => request.likelyCauses;
const { done, rejected, forbidden, unavailable, misconfigured, interrupted, misdirected, unclear } =
	CLASSIFICATIONS;

const DONE: StatusRule = [done, ''];
const REJECTED: StatusRule = [rejected, 'Rejected by the service', likelyCauses];
const NOT_JSON = 'The service returned a web page instead of JSON';
const WEB_PAGE: StatusRule = [misdirected, NOT_JSON, CHECK_BASE_URL];
/** An API would say in JSON which class or student is not found. */
const NO_API: StatusRule = [misconfigured, NOT_JSON, CHECK_BASE_URL];
const BLOCKED: StatusRule = [
	misconfigured,
	NOT_JSON,
	`A firewall may block n8n: ask the service to let it in. Or the address is wrong. ${CHECK_BASE_URL}`,
];
const UNCLEAR: StatusRule = [
	unclear,
	"The node can't tell what the service's response means",
	likelyCauses,
];
const BY_BODY = { done: DONE, rejected: REJECTED, unclear: UNCLEAR };
const REDIRECTS = 'The service redirects to another address';
const NOT_AVAILABLE = "The service isn't available right now";

/**
 * By status; the first digit stands for all other statuses that begin with it (test/service/openapi.yaml, and what HTTP
 * says about other statuses).
 */
const BY_STATUS: Readonly<Record<number, StatusRule>> = {
	// Of several students or classes, some may have failed.
	207: UNCLEAR,
	3: [misconfigured, REDIRECTS, checkLocation],
	302: [misdirected, REDIRECTS, checkLocation],
	303: [misdirected, REDIRECTS, checkLocation],
	4: REJECTED,
	401: [
		misconfigured,
		'Access token not accepted',
		"Check 'Access Token' in the 'Class Enrollment API' credential. It may be mistyped, expired, revoked, or not valid for this request.",
	],
	402: [
		forbidden,
		'The service asks for a payment',
		'Check in the service if something has to be paid.',
	],
	403: [
		forbidden,
		"The access token doesn't allow this operation",
		"Enter one that does in the 'Class Enrollment API' credential. With another credential, a retry would send everything again.",
	],
	404: [
		rejected,
		'The service returned "not found"',
		({ likelyCauses }) => uniq([likelyCauses, CHECK_BASE_URL]).join(' '),
	],
	405: [misconfigured, 'The service takes no such requests at this address', CHECK_BASE_URL],
	407: [
		misconfigured,
		'The proxy rejected its user and password',
		'Correct the user and password of the proxy.',
	],
	408: [interrupted, 'The service timed out'],
	413: [
		rejected,
		'The request is too large for the service',
		"Send less in one request: fewer classes, or a smaller 'Batch Size' in 'Add Many to Class'.",
	],
	429: [
		{ ...unavailable, retryAfterMs: 0 },
		'Too many requests',
		"Try again later. To send fewer at a time, change 'Max Concurrent Requests' or 'Batching' under Settings > Request Options.",
	],
	5: [interrupted, 'Something went wrong in the service'],
	// Most likely, it was not processed; but a gateway may have given up waiting.
	503: [interrupted, NOT_AVAILABLE],
};
/** With Retry-After, the service itself says that it did not process the request. */
const AVAILABLE_LATER: StatusRule = [unavailable, NOT_AVAILABLE];

/** Classifies a response of n8n's helper. The mask hides the access token. */
export function toAttemptResult(
	request: ServiceRequest,
	helperResponse: IN8nHttpFullResponse,
	mask: Mask,
): AttemptResult {
	const response = readResponse(helperResponse, mask);
	const { status, text, json } = response;
	const [classification, problem, advice] = ruleFor(response);
	const reason = `status ${status}`;
	const said = classification.outcome === 'done' ? '' : serviceMessage(json, text, mask);
	const retryAfterMs = response.retryAfterMs ?? classification.retryAfterMs;
	const later = classification.isTemporary ? tryAgainAt(retryAfterMs) : undefined;
	return {
		...classification,
		status,
		json,
		retryAfterMs,
		message: `${problem} (${reason})${said}`,
		advice: later ?? (typeof advice === 'function' ? advice(request, response) : advice),
		reason,
	};
}

function readResponse({ statusCode, headers, body }: IN8nHttpFullResponse, mask: Mask) {
	return {
		status: statusCode,
		retryAfterMs: parseRetryAfter(headers['retry-after']),
		// Without its parameters, which may contain secrets.
		location: mask.inMessage(String(headers.location ?? '')).replace(/\?.*/s, ''),
		text: mask.inMessage(body as string),
		json: parseJson(body as string, mask.inData),
	};
}

function ruleFor({ status, retryAfterMs, text, json }: ServiceResponse): StatusRule {
	const kind = Math.floor(status / 100);
	if (kind === 2 && !(status in BY_STATUS))
		return PAGE.test(text) ? WEB_PAGE : BY_BODY[classifyBody(json)];
	if (status === 403 && PAGE.test(text)) return BLOCKED;
	if (status === 404 && PAGE.test(text)) return NO_API;
	if (status === 503 && retryAfterMs !== undefined) return AVAILABLE_LATER;
	return BY_STATUS[status] ?? BY_STATUS[kind] ?? UNCLEAR;
}

function serviceMessage(json: unknown, text: string, mask: Mask): string {
	const inText = PAGE.test(text) ? '' : textOf(text);
	const said = mask
		.inMessage(json === undefined ? inText : messageIn(json))
		.slice(0, MAX_MESSAGE_LENGTH)
		// Another sentence may follow.
		.replace(/\.$/, '');
	// A copy, since Node.js keeps the whole body in memory for a part of it.
	return said === '' ? '' : `: ${Buffer.from(said).toString()}`;
}

/** What a body in JSON says, where services usually say it. */
function messageIn(json: unknown): string {
	if (Array.isArray(json)) return json.map(messageIn).filter(Boolean).join(', ');
	if (!isPlainObject(json)) return textOf(json);
	const { message, error, errors, detail, title } = toObject(json);
	const byField = Object.entries(toObject(errors)).map(
		([field, said]) => `${field}: ${messageIn(said)}`,
	);
	return [message, error, errors, byField, detail, title].map(messageIn).find(Boolean) ?? '';
}

function checkLocation(_: ServiceRequest, { location }: ServiceResponse): string {
	const where = location === '' ? '' : ` The new address is ${location}`;
	return `The node doesn't follow redirects, because the new address would get your token. If you trust it, enter it as 'Base URL' in the 'Class Enrollment API' credential.${where}`;
}
