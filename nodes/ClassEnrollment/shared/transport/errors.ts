import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { asObject, parseJson } from '../values/json';
import { InvalidValueError } from '../values/invalidValue';
import { type Answer, type NoAnswerError, type ServiceRequest, TLS_FAULT } from './exchange';

interface Explanation {
	problem: string;
	advice: string;
}

const LONGEST_MESSAGE = 500;
const CHECK_TOKEN =
	"Check the Access Token of the credential 'Class Enrollment API': it may be mistyped, expired or revoked.";
const NOT_AN_API =
	"Check the Base URL of the credential 'Class Enrollment API': it must be the address of the API including the version, as in https://api.example.com/v1, not that of a web page.";
const FATE_UNKNOWN =
	"It is unknown whether the request took effect. The node's setting 'Retry On Fail' would send it again.";
const REFUSED = 'The service rejected the request';

type Explain = (request: ServiceRequest, answer: Answer) => Explanation;

const refused: Explain = ({ likelyCauses }) => ({ problem: REFUSED, advice: likelyCauses });
const always =
	(problem: string, advice: string): Explain =>
	() => ({ problem, advice });

/** By status; under its first digit what goes for all others that begin with it. */
const BY_STATUS: Readonly<Record<number, Explain>> = {
	3: movedTo,
	4: always(REFUSED, 'Check the values of this step.'),
	5: ({ method }) => ({
		problem: 'The service failed',
		advice: method === 'GET' ? 'Try again later.' : FATE_UNKNOWN,
	}),
	400: refused,
	401: always('The service did not accept the access token', CHECK_TOKEN),
	403: always(
		'The access token does not allow this',
		"Use a credential 'Class Enrollment API' whose token has the right to do it.",
	),
	404: ({ likelyCauses }) => ({
		problem: 'The service found nothing at this address',
		advice: `${likelyCauses} ${NOT_AN_API}`,
	}),
	413: always(
		'The request is too large for the service',
		'Send fewer students or classes at a time.',
	),
	422: refused,
	429: always(
		'The service asks for fewer requests at a time',
		"Lower 'Max Concurrent Requests' or raise 'Max Retries' under Request Options in the node's settings.",
	),
	503: always(
		'The service is not available right now',
		'Nothing was changed by this request. Try again later.',
	),
};

const BY_CODE: ReadonlyArray<[codes: RegExp, reason: string]> = [
	[/^ECONNREFUSED$/, 'nothing answers there'],
	[/^ENOTFOUND$/, 'no host of that name exists'],
	[/^EAI_AGAIN$/, 'the name of the host could not be looked up'],
	[/^E(HOST|NET)UNREACH$/, 'there is no way to that host'],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'it took too long to answer'],
	[/^(ECONNRESET|EPIPE)$/, 'it closed the connection without an answer'],
	[/^EPROTO$|SSL/, 'it does not speak HTTPS'],
	[
		TLS_FAULT,
		"its security certificate cannot be trusted. If you trust the service, turn on 'Ignore SSL Issues' under Request Options",
	],
	[
		/^ERR_INVALID_CHAR$/,
		'the access token holds a character that cannot be sent. Copy it into the credential anew',
	],
];

/** The error for an answer that is no success. Its message holds what the service said, its description what to do. */
export function answerError(node: INode, request: ServiceRequest, answer: Answer): NodeApiError {
	// A success status counts as a refusal here: its body says that it is none.
	const explain = BY_STATUS[answer.status] ?? BY_STATUS[Math.floor(answer.status / 100)];
	const { problem, advice } = (explain ?? BY_STATUS[4]!)(request, answer);
	const said = serviceMessage(answer.text);
	return apiError(
		node,
		{
			message: `${problem} (status ${answer.status})${said === undefined ? '' : `: ${said}`}`,
			description: advice,
			httpCode: String(answer.status),
		},
		request.method !== 'GET' && answer.status >= 500 && answer.status !== 503,
	);
}

/** The error for a success status whose body is not the JSON that is due. */
export function notJsonError(node: INode, request: ServiceRequest, answer: Answer): NodeApiError {
	const isWrite = request.method !== 'GET';
	const what = /^\s*</.test(answer.text) ? 'a web page instead of JSON' : 'a text that is not JSON';
	return apiError(
		node,
		{
			message: `The service answered with ${what}`,
			description: isWrite ? `${FATE_UNKNOWN} ${NOT_AN_API}` : NOT_AN_API,
		},
		isWrite,
	);
}

/**
 * The error for a request that got no answer. Says which address could not be reached.
 * @param byProxy whether it went through a proxy, which may be what did not answer
 */
export function noAnswerError(
	node: INode,
	request: ServiceRequest,
	error: NoAnswerError,
	byProxy: boolean,
): NodeApiError {
	const reason =
		BY_CODE.find(([codes]) => codes.test(error.code))?.[1] ??
		`the connection failed with ${error.code}`;
	const fateUnknown = error.mayHaveArrived && request.method !== 'GET';
	const check = byProxy
		? "Check the Proxy under Request Options in the node's settings, and the Base URL of the credential 'Class Enrollment API'."
		: "Check the Base URL of the credential 'Class Enrollment API' and that this n8n can reach it.";
	return apiError(
		node,
		{
			message: `No answer from ${error.url}${byProxy ? ' through the proxy' : ''}: ${reason}`,
			description: fateUnknown ? FATE_UNKNOWN : `Nothing was changed. ${check}`,
		},
		fateUnknown,
	);
}

/**
 * What is shown of an error.
 * @param place names where a wrong value stands, such as "item 3"
 */
export function shownError(
	error: unknown,
	place?: string,
): { message: string; description?: string | null } {
	if (!(error instanceof Error)) return { message: String(error) };
	const { description } = error as { description?: string | null };
	const isPlaced = error instanceof InvalidValueError && place !== undefined;
	return { message: isPlaced ? `${error.message} [${place}]` : error.message, description };
}

/** Ties an error to the item that caused it, as n8n shows it. Errors of the service stay what they are. */
export function itemError(
	node: INode,
	error: unknown,
	itemIndex: number,
	place = `item ${itemIndex}`,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	if (error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	const wrapped = new NodeOperationError(node, cause, { itemIndex });
	wrapped.message = shownError(error, place).message;
	return wrapped;
}

/** Whether the service has nothing at the address of a request. */
export function isNotFound(error: unknown): boolean {
	return error instanceof NodeApiError && error.httpCode === '404';
}

/** Whether the service looked at a request and refused it for what is in it. */
export function isRefusal(error: unknown): error is NodeApiError {
	return error instanceof NodeApiError && ['400', '413', '422'].includes(error.httpCode ?? '');
}

/** Whether a request that failed with this error may nevertheless have changed something. */
export function mayHaveTakenEffect(error: unknown): boolean {
	return error instanceof NodeApiError && error.context.mayHaveTakenEffect === true;
}

function apiError(
	node: INode,
	shown: { message: string; description: string; httpCode?: string },
	takenEffect: boolean,
): NodeApiError {
	const error = new NodeApiError(node, {}, shown);
	// n8n replaces messages in which it finds one of its catchwords ("EEXIST" in "preexisting").
	error.message = shown.message;
	error.context.mayHaveTakenEffect = takenEffect;
	return error;
}

function movedTo({ path }: ServiceRequest, { location }: Answer): Explanation {
	const [address = ''] = location.split('?');
	const where = address.endsWith(path)
		? ` The new Base URL would be ${address.slice(0, -path.length)}`
		: ` It points to ${address}`;
	return {
		problem: 'The service has moved to another address',
		advice: `The node does not follow it, since your access token would go along. If you trust the new address, enter it as Base URL of the credential 'Class Enrollment API'.${address === '' ? '' : where}`,
	};
}

function serviceMessage(text: string): string | undefined {
	const { message, error, errors } = asObject(parseJson(text));
	const said = [message ?? error ?? errors ?? '']
		.flat()
		.map((part) => (typeof part === 'string' ? part : JSON.stringify(part)))
		.join('; ')
		.trim();
	return said === '' ? undefined : said.slice(0, LONGEST_MESSAGE);
}
