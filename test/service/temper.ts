import type { Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Refusal } from './refusal';
import { recordOf, type RequestRecord } from './requestLog';

/** Which requests are affected; all by default. */
export interface Aim {
	/** Only this many requests; counts down to 0. */
	times?: number;
	only?: (request: RequestRecord) => boolean;
}

export interface Failure extends Aim {
	status: number;
	/** The body, sent as JSON; the default is the service's error body. */
	body?: unknown;
	/** The body, sent as text instead of JSON. */
	text?: string;
	headers?: Record<string, string>;
}

export interface Drop extends Aim {
	/** `before`: the request has no effect. `after`: the request takes effect, but the response is lost. */
	when: 'before' | 'after';
}

export interface RateLimit {
	requestsPerSecond: number;
	/** How long it asks to wait; the default is a second. */
	waitS?: number;
}

/**
 * What the service is like, where its interface does not say, and how it misbehaves, when a request matches the contract.
 * Empty: regular. Everything can be combined: `{ ...ONE, ...ANOTHER }` is a service like both.
 */
export interface Temper {
	/** Called with every request, valid or not, before it is handled. */
	onRequest?: (request: RequestRecord) => void | Promise<void>;

	/** Returns the temper for a request that matches the contract, in place of this one. */
	forRequest?: (request: RequestRecord) => Temper | undefined;

	/** The number of the first page; the default is 1. */
	firstPage?: 0 | 1;
	/** The most classes on a page, whatever page size is requested. */
	maxPageSize?: number;
	/** Refuses a smaller page size. */
	minPageSize?: number;
	omitTotalRecords?: boolean;

	/** Responds with 429 to more requests per second than this. A new object starts a new count. */
	rateLimit?: RateLimit;
	/** Waits this many milliseconds before handling a request; Infinity: forever. */
	latencyMs?: number;
	failWith?: Failure;
	/** Fails so after the request has taken effect. */
	failAfterEffect?: Failure;
	drop?: Drop;
	/** Responds with 503 to everything that is not a read, and asks to wait so many seconds. */
	readOnlyS?: number;
	/** Responds with 401 to requests for this class alone. */
	deniedClass?: string;
	/** Refuses a request that contains one of these emails, in upper or lower case. */
	rejectEmails?: string[];
	/** Refuses a request to add students to a class if one of them is already in it. */
	refuseEnrolled?: boolean;
	/** Refuses a request with more students. */
	maxStudents?: number;
	/** Works through students and classes one by one: what comes before a refusal stays, instead of nothing at all. */
	isOneByOne?: boolean;
	/** The status of a refusal; the default is 400. */
	refusalStatus?: number;
	/** Says in plain text, not as JSON, what went wrong. */
	textErrors?: boolean;

	/** Responds after the request has taken effect, but never ends: a byte every 100 ms. */
	drip?: boolean;
	/** Sends only half of the body after the request has taken effect, then closes the connection. */
	cutOff?: Aim;
	/** Sends these bytes in place of a response after the request has taken effect, and leaves the connection open. */
	answerRaw?: string;
	/** Responds with 200 and this as JSON after the request has taken effect. */
	answerJson?: unknown;
	/** Additional fields of all responses, which the contract does not know. */
	extraAnswerFields?: Record<string, unknown>;
}

/** A request and its response under a temper. */
export interface Exchange {
	temper: Temper;
	response: Response;
	/** The body of the regular response, after the request has taken effect. */
	answer?: object;
}

/** Returns true if it has responded, so that there is no regular response. */
type Misbehavior = (exchange: Exchange) => boolean | Promise<boolean>;

/** Whether a misbehavior applies to this request. Counts down its times. */
function applies(aim: Aim, record: RequestRecord): boolean {
	if (aim.times === 0 || aim.only?.(record) === false) return false;
	if (aim.times !== undefined) aim.times--;
	return true;
}

/** Sends an irregular response, which is not checked against the contract. */
function send(response: Response, status: number, contentType: string, text: string): true {
	if (!response.hasHeader('content-type')) response.type(contentType);
	response.status(status).send(text);
	return true;
}

function sendJson(response: Response, status: number, body: unknown): true {
	return send(response, status, 'json', JSON.stringify(body));
}

function sendError({ temper, response }: Exchange, status: number, message: string): true {
	if (temper.textErrors) return send(response, status, 'text', message);
	return sendJson(response, status, { status: 'error', message });
}

async function wait(ms: number): Promise<false> {
	if (ms === Infinity) return await new Promise(() => {});
	return await sleep(ms, false, { ref: false });
}

const admittedUnder = new WeakMap<RateLimit, number[]>();

const limitRate: Misbehavior = (exchange) => {
	const { temper, response } = exchange;
	const { rateLimit } = temper;
	if (!rateLimit) return false;
	const now = Date.now();
	const admitted = (admittedUnder.get(rateLimit) ?? []).filter((time) => time > now - 1000);
	admittedUnder.set(rateLimit, admitted);
	if (admitted.length < rateLimit.requestsPerSecond) {
		admitted.push(now);
		return false;
	}
	response.set('Retry-After', String(rateLimit.waitS ?? 1));
	return sendError(exchange, 429, 'Too many requests');
};

const beReadOnly: Misbehavior = (exchange) => {
	const { temper, response } = exchange;
	if (temper.readOnlyS === undefined || recordOf(response).method === 'GET') return false;
	response.set('Retry-After', String(temper.readOnlyS));
	return sendError(exchange, 503, 'Read-only');
};

const denyClass: Misbehavior = (exchange) => {
	const { path } = recordOf(exchange.response);
	const isDenied = path.startsWith(`/classe/${exchange.temper.deniedClass}/`);
	return isDenied && sendError(exchange, 401, 'Unauthorized');
};

const delay: Misbehavior = async ({ temper: { latencyMs } }) =>
	latencyMs ? await wait(latencyMs) : false;

const fail =
	(which: 'failWith' | 'failAfterEffect'): Misbehavior =>
	(exchange) => {
		const { temper, response } = exchange;
		const failure = temper[which];
		if (!failure || !applies(failure, recordOf(response))) return false;
		const { status, text, headers, body } = failure;
		// By the clock of the tests, which Node.js does not know.
		response.set({ Date: new Date().toUTCString(), ...headers });
		if (text !== undefined) return send(response, status, 'text', text);
		if (body !== undefined) return sendJson(response, status, body);
		return sendError(exchange, status, `Told to fail with ${status}`);
	};

const drop =
	(when: Drop['when']): Misbehavior =>
	({ temper, response }) => {
		if (temper.drop?.when !== when || !applies(temper.drop, recordOf(response))) return false;
		response.destroy();
		return true;
	};

const cutOff: Misbehavior = async ({ temper, response, answer }) => {
	if (!temper.cutOff || !applies(temper.cutOff, recordOf(response))) return false;
	const text = JSON.stringify(answer);
	response.type('json').set('Content-Length', String(Buffer.byteLength(text)));
	await new Promise((sent) => response.write(text.slice(0, text.length / 2), sent));
	// Time for the client to read it.
	await wait(50);
	response.destroy();
	return true;
};

const drip: Misbehavior = ({ temper, response }) => {
	if (!temper.drip) return false;
	response.type('json');
	const dripping = setInterval(() => response.write(' '), 100);
	response.on('close', () => clearInterval(dripping));
	return true;
};

const answerRaw: Misbehavior = ({ temper: { answerRaw: bytes }, response }) => {
	if (bytes !== undefined) response.socket!.write(bytes);
	return bytes !== undefined;
};

const answerJson: Misbehavior = ({ temper: { answerJson: answer }, response }) =>
	answer === undefined ? false : sendJson(response, 200, answer);

const omitTotalRecords: Misbehavior = ({ temper, response, answer }) =>
	temper.omitTotalRecords && answer && 'totalRecords' in answer
		? sendJson(response, 200, { ...answer, totalRecords: undefined })
		: false;

const extraAnswerFields: Misbehavior = ({
	temper: { extraAnswerFields: extra },
	response,
	answer,
}) => (extra ? sendJson(response, 200, { ...answer, ...extra }) : false);

const beforeEffect = [limitRate, delay, fail('failWith'), drop('before'), beReadOnly, denyClass];

const afterEffect = [
	fail('failAfterEffect'),
	drop('after'),
	drip,
	cutOff,
	answerRaw,
	answerJson,
	omitTotalRecords,
	extraAnswerFields,
];

async function someResponds(misbehaviors: Misbehavior[], exchange: Exchange): Promise<boolean> {
	for (const misbehave of misbehaviors) if (await misbehave(exchange)) return true;
	return false;
}

/** Responds that a request cannot be carried out; as the contract says, if the temper says nothing else. */
export function refuse({ message }: Refusal, exchange: Exchange): void {
	const { refusalStatus = 400, textErrors } = exchange.temper;
	if (refusalStatus !== 400 || textErrors) sendError(exchange, refusalStatus, message);
	else exchange.response.status(400).json({ status: 'error', message });
}

/** Misbehaves before a request takes effect. Returns true if it has responded. */
export const misbehaveBeforeEffect = (exchange: Exchange) => someResponds(beforeEffect, exchange);

/** Misbehaves after a request has taken effect. Returns true if it has responded. */
export const misbehaveAfterEffect = (exchange: Exchange) => someResponds(afterEffect, exchange);
