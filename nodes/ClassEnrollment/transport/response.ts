import type { IDataObject, IN8nHttpFullResponse } from 'n8n-workflow';
import { parseJson, toObject } from '../values/json';
import { textOf } from '../values/text';
import { askedDelay } from './backoff';
import type { Mask } from './mask';
import type { Fate, Outcome } from './fate';
import { isWrite, type ServiceRequest } from './request';
import { TRY_LATER, tryAgainAt } from './serviceError';

/** What became of a request, what happened, and what the user can do about it. */
type Verdict = [fate: Fate, problem: string, advice: string | Advise];
type Advise = (request: ServiceRequest, response: ServiceResponse) => string;
type ServiceResponse = ReturnType<typeof readResponse>;

/** Advice in case the address is wrong. */
export const CHECK_BASE_URL =
	"Check the Base URL of the credential 'Class Enrollment API'. It must point to the API, including the version, as in https://api.example.com/v1, not to a web page.";
const MAX_MESSAGE_LENGTH = 500;
const WEB_PAGE = /^\s*</;

const likelyCauses: Advise = (request) => request.likelyCauses;
const REJECTED: Verdict = ['rejected', 'The service rejected the request', likelyCauses];
const UNCLEAR: Verdict = ['unclear', 'The service returned an unclear response', CHECK_BASE_URL];

/**
 * By status; the first digit stands for all other statuses that begin with it (test/service/openapi.yaml, and what HTTP
 * says about other statuses).
 */
const BY_STATUS: Readonly<Record<number, Verdict>> = {
	3: ['denied', 'The service redirects to another address', checkLocation],
	4: REJECTED,
	401: [
		'denied',
		'The service did not accept the access token',
		"Check the Access Token of the credential 'Class Enrollment API': it may be mistyped, expired or revoked, or not hold for what was asked.",
	],
	403: [
		'forbidden',
		'The access token does not have permission for this operation',
		"Use a 'Class Enrollment API' credential whose token has it.",
	],
	404: [
		'rejected',
		'The service returned "not found"',
		(request) => `${request.likelyCauses} ${CHECK_BASE_URL}`,
	],
	407: [
		'denied',
		'The proxy did not accept its user and password',
		'Correct the user and password of the proxy.',
	],
	408: ['failed', 'The service timed out', TRY_LATER],
	413: [
		'rejected',
		'The request is too large for the service',
		"Send less in one request: fewer classes, or a smaller 'Batch Size' in 'Add Many to Class'.",
	],
	429: [
		'deferred',
		'Too many requests',
		"Try again later. To send fewer requests at a time, lower 'Max Concurrent Requests' or set 'Batching' under Request Options in the node's settings.",
	],
	5: ['failed', 'The service returned a server error', TRY_LATER],
	503: ['unavailable', 'The service is not available right now', TRY_LATER],
};

/** Decides what a response of n8n's helper means. The mask hides the access token in what it says. */
export function toOutcome(
	request: ServiceRequest,
	helperResponse: IN8nHttpFullResponse,
	mask: Mask,
): Outcome {
	const response = readResponse(helperResponse, mask);
	const { status, text, json, retryAfterMs } = response;
	const reason = `status ${status}`;
	const [fate, problem, advice] = verdictOf(request, response);
	const said = fate === 'done' ? '' : whatItSaid(json, text);
	return {
		fate,
		status,
		json,
		retryAfterMs,
		message: `${problem} (${reason})${said}`,
		advice:
			tryAgainAt(retryAfterMs) ?? (typeof advice === 'string' ? advice : advice(request, response)),
		reason,
	};
}

function readResponse({ statusCode, headers, body }: IN8nHttpFullResponse, mask: Mask) {
	const retryAfter = String(headers['retry-after'] ?? '');
	return {
		status: statusCode,
		hasRetryAfter: retryAfter !== '',
		retryAfterMs: askedDelay(retryAfter),
		// Without its parameters, which may contain secrets.
		location: mask(String(headers.location ?? '')).replace(/\?.*/s, ''),
		// Text, as `createExchange` asks for it.
		text: mask(body as string),
		json: parseJson(body as string, mask),
	};
}

function verdictOf(request: ServiceRequest, response: ServiceResponse): Verdict {
	const { status, hasRetryAfter } = response;
	const kind = Math.floor(status / 100);
	if (kind === 2) return verdictOfSuccess(request, response);
	const [fate, ...rest] = BY_STATUS[status] ?? BY_STATUS[kind] ?? UNCLEAR;
	// A redirect to another page often follows a processed request.
	if ([302, 303].includes(status) && isWrite(request)) return ['strayed', ...rest];
	// With Retry-After, the service itself says that it did not process it; without, a gateway may have given up waiting.
	if (status === 503 && hasRetryAfter) return ['deferred', ...rest];
	return [fate, ...rest];
}

function verdictOfSuccess(request: ServiceRequest, { text, json }: ServiceResponse): Verdict {
	const done: Verdict = ['done', '', ''];
	if (text.trim() === '') return done;
	if (json === undefined) {
		const isPage = WEB_PAGE.test(text);
		const what = isPage ? 'a web page instead of JSON' : 'text that is not JSON';
		const ofWrite = isPage ? 'strayed' : 'unclear';
		return [isWrite(request) ? ofWrite : 'denied', `The service returned ${what}`, CHECK_BASE_URL];
	}
	return saysNo(toObject(json)) ? REJECTED : done;
}

/** Whether a body is an error all the same: the service's own form, or a usual one. */
function saysNo({ status, success, ok }: IDataObject): boolean {
	return status === 'error' || success === false || ok === false;
}

function whatItSaid(json: unknown, text: string): string {
	const ofText = WEB_PAGE.test(text) ? '' : text;
	const message = json === undefined ? ofText : toObject(json).message;
	// Another sentence may follow.
	const said = textOf(message).slice(0, MAX_MESSAGE_LENGTH).replace(/\.$/, '');
	// Copied, since what is cut out of a text keeps all of it in memory.
	return said === '' ? '' : `: ${Buffer.from(said).toString()}`;
}

function checkLocation(_: ServiceRequest, { location }: ServiceResponse): string {
	const where = location === '' ? '' : ` It points to ${location}`;
	return `Redirects are not followed, because that would send your token along. If you trust the new address, set it as the Base URL of the credential 'Class Enrollment API'.${where}`;
}
