import isPlainObject from 'lodash/isPlainObject';

import { classifyBody } from '../nodes/ClassEnrollment/transport/successBody';

/** A response of the service. */
export interface Answer {
	status: number;
	headers: Headers;
	text: string;
	/** The parsed body; undefined if it is empty or not JSON. */
	json: unknown;
}

/** Whose values are quoted. Of all others, only the type is told. */
const QUOTED = /^(status|message|success|ok|error|errors|code|statuscode)$/i;
const MAX_QUOTE = 200;
/** Client errors that are not about what a request contains. */
const NOT_ABOUT_THE_REQUEST = [401, 402, 403, 405, 407, 408, 429];

/** The JSON object of a response; empty if it is none. */
export const objectOf = ({ json }: Answer) =>
	isPlainObject(json) ? (json as Record<string, unknown>) : {};

/** Whether the service did what was asked: a success status, and a body that does not say no. */
export function isDone(answer: Answer): boolean {
	const { status, text, json } = answer;
	const isReadable = text.trim() === '' || json !== undefined;
	return status >= 200 && status < 300 && isReadable && classifyBody(json) === 'done';
}

/** Whether the service rejected what the request contains. */
export const isRejected = ({ status }: Answer) =>
	status >= 400 && status < 500 && !NOT_ABOUT_THE_REQUEST.includes(status);

/** A response in a few words, not masked yet. */
export const describe = (answer: Answer) => `status ${answer.status}, ${describeBody(answer)}`;

function describeBody({ text, json, headers }: Answer): string {
	if (text.trim() === '') return 'empty body';
	if (json === undefined) return `not JSON (${headers.get('content-type') ?? 'no content type'})`;
	if (!isPlainObject(json)) return typeOf(json);
	const fields = Object.entries(json as object).map(
		([key, value]) => `${key}: ${QUOTED.test(key) ? quote(value) : typeOf(value)}`,
	);
	return `{${fields.join(', ')}}`;
}

const quote = (value: unknown) => JSON.stringify(value).slice(0, MAX_QUOTE);

function typeOf(value: unknown): string {
	if (value === null) return 'null';
	return Array.isArray(value) ? 'list' : typeof value;
}
