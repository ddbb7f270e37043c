import { NodeApiError, NodeOperationError, type INode } from 'n8n-workflow';
import { asObject, parseJson } from '../values/json';
import { InvalidValueError } from '../values/invalidValue';
import { type Answer, type NoAnswerError, type ServiceRequest } from './exchange';

interface Explanation {
	problem: string;
	advice: string;
}

const LONGEST_MESSAGE = 500;
const CHECK_TOKEN =
	"Check the Access Token of the credential 'Class Enrollment API': it may be mistyped, expired or revoked.";
const TRY_LATER =
	"Try again later. The node's setting 'Retry On Fail' can do that; a request that did take effect is then sent twice.";
const NOT_AN_API =
	"Check the Base URL of the credential 'Class Enrollment API': it must be the address of the API including the version, as in https://api.example.com/v1, not that of a web page.";

const BY_STATUS: Readonly<Record<number, Explanation>> = {
	401: { problem: 'The service did not accept the access token', advice: CHECK_TOKEN },
	403: {
		problem: 'The access token does not allow this',
		advice: "Use a credential 'Class Enrollment API' whose token has the right to do it.",
	},
	404: {
		problem: 'The service does not know this address or class',
		advice: `Check the ID of the class. ${NOT_AN_API}`,
	},
	413: {
		problem: 'The request is too large for the service',
		advice: 'Send fewer students or classes at a time, for example by a smaller Batch Size.',
	},
	429: {
		problem: 'The service asks for fewer requests at a time',
		advice:
			"Lower 'Max Concurrent Requests' or raise 'Max Retries' under Request Options in the node's settings.",
	},
	503: {
		problem: 'The service is not available right now',
		advice: 'Nothing was changed by this request. Try again later.',
	},
};

const BY_STATUS_CLASS: Readonly<Record<number, Explanation>> = {
	3: {
		problem: 'The service has moved to another address',
		advice:
			"The node does not follow it, since your access token would go along. If you trust the new address, enter it as Base URL of the credential 'Class Enrollment API'.",
	},
	5: { problem: 'The service failed', advice: TRY_LATER },
};

const BY_CODE: Readonly<Record<string, string>> = {
	ECONNREFUSED: 'nothing answers there',
	ENOTFOUND: 'no host of that name exists',
	EAI_AGAIN: 'the name of the host could not be looked up',
	EHOSTUNREACH: 'there is no way to that host',
	ENETUNREACH: 'there is no way to that network',
	ECONNABORTED: 'it took too long to answer',
	ETIMEDOUT: 'it took too long to answer',
	ECONNRESET: 'it closed the connection without an answer',
	EPIPE: 'it closed the connection without an answer',
	ERR_INVALID_CHAR: 'the access token holds a character that cannot be sent',
};

/** The error for an answer that is no success. Its message holds what the service said, its description what to do. */
export function answerError(node: INode, request: ServiceRequest, answer: Answer): NodeApiError {
	const { problem, advice } = explain(request, answer.status);
	const said = serviceMessage(answer.text);
	const location = answer.headers.location;
	return apiError(
		node,
		{
			message: `${problem} (status ${answer.status})${said === undefined ? '' : `: ${said}`}`,
			description: typeof location === 'string' ? `${advice} New address: ${location}` : advice,
			httpCode: String(answer.status),
		},
		answer.status >= 500 && answer.status !== 503,
	);
}

/** The error for a success status whose body is not the JSON that is due. */
export function notJsonError(node: INode, answer: Answer): NodeApiError {
	const isPage = /^\s*</.test(answer.text);
	return apiError(
		node,
		{
			message: `The service answered with ${isPage ? 'a web page' : 'something'} that is not JSON, so it is unknown whether the request took effect`,
			description: NOT_AN_API,
		},
		true,
	);
}

/** The error for a request that got no answer. Says which address could not be reached. */
export function noAnswerError(node: INode, error: NoAnswerError): NodeApiError {
	const reason = BY_CODE[error.code] ?? `the connection failed with ${error.code}`;
	return apiError(
		node,
		{
			message: `No answer from ${error.url}: ${reason}`,
			description: error.mayHaveArrived
				? `It is unknown whether the request took effect. ${TRY_LATER}`
				: "Nothing was sent. Check the Base URL of the credential 'Class Enrollment API' and that this n8n can reach it.",
		},
		error.mayHaveArrived,
	);
}

/**
 * Ties an error to the item that caused it, as n8n shows it. Errors of the service stay what they are.
 * @param label how a message about a value names its place
 */
export function itemError(
	node: INode,
	error: unknown,
	itemIndex: number,
	label = `item ${itemIndex}`,
): NodeApiError | NodeOperationError {
	if (error instanceof NodeApiError) {
		error.context.itemIndex = itemIndex;
		return error;
	}
	if (error instanceof NodeOperationError) return error;
	const cause = error instanceof Error ? error : new Error(String(error));
	const wrapped = new NodeOperationError(node, cause, { itemIndex });
	wrapped.message =
		cause instanceof InvalidValueError ? `${cause.message} [${label}]` : cause.message;
	return wrapped;
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

function explain(request: ServiceRequest, status: number): Explanation {
	return (
		BY_STATUS[status] ??
		BY_STATUS_CLASS[Math.floor(status / 100)] ?? {
			problem: 'The service rejected the request',
			advice: request.likelyCauses,
		}
	);
}

function serviceMessage(text: string): string | undefined {
	const { message } = asObject(parseJson(text));
	const said = [message].flat().join('; ').trim();
	return said === '' ? undefined : said.slice(0, LONGEST_MESSAGE);
}
