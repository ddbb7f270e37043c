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

	/** Waits this many milliseconds before handling a request; Infinity: forever. */
	latencyMs?: number;
	failWith?: Failure;
	/** Fails so after the request has taken effect. */
	failAfterEffect?: Failure;
	drop?: Drop;
	/** Responds with 503 to everything that is not a read, and asks to wait so many seconds. */
	readOnlyS?: number;
	/** Refuses a request that contains one of these emails, in upper or lower case. */
	rejectEmails?: string[];
	/** Takes addresses that differ only in upper and lower case for different students. */
	distinguishesCase?: boolean;
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
}

/** Whether a misbehavior applies to a request. Counts down its times. */
function applies(aim: Aim | undefined, response: Response): boolean {
	if (!aim || aim.times === 0 || aim.only?.(recordOf(response)) === false) return false;
	if (aim.times !== undefined) aim.times--;
	return true;
}

/** Sends an irregular response, which is not checked against the contract. */
function send(response: Response, status: number, contentType: string, text: string): void {
	if (!response.hasHeader('content-type')) response.type(contentType);
	response.status(status).send(text);
}

const sendJson = (response: Response, status: number, body: unknown) =>
	send(response, status, 'json', JSON.stringify(body));

function sendError({ temper, response }: Exchange, status: number, message: string): void {
	if (temper.textErrors) send(response, status, 'text', message);
	else sendJson(response, status, { status: 'error', message });
}

async function wait(ms: number): Promise<void> {
	if (ms === Infinity) await new Promise(() => {});
	else await sleep(ms, undefined, { ref: false });
}

function fail({ status, text, headers, body }: Failure, exchange: Exchange): void {
	const { response } = exchange;
	// By the clock of the tests, which Node.js does not know.
	response.set({ Date: new Date().toUTCString(), ...headers });
	if (text !== undefined) send(response, status, 'text', text);
	else if (body !== undefined) sendJson(response, status, body);
	else sendError(exchange, status, `Told to fail with ${status}`);
}

async function cutOff(response: Response, answer: object): Promise<void> {
	const text = JSON.stringify(answer);
	response.type('json').set('Content-Length', String(Buffer.byteLength(text)));
	await new Promise((sent) => response.write(text.slice(0, text.length / 2), sent));
	// Time for the client to read it.
	await wait(50);
	response.destroy();
}

function drip(response: Response): void {
	response.type('json');
	const dripping = setInterval(() => response.write(' '), 100);
	response.on('close', () => clearInterval(dripping));
}

/** Responds that a request cannot be carried out; as the contract says, if the temper says nothing else. */
export function refuse({ message }: Refusal, exchange: Exchange): void {
	const { refusalStatus = 400, textErrors } = exchange.temper;
	if (refusalStatus !== 400 || textErrors) sendError(exchange, refusalStatus, message);
	else exchange.response.status(400).json({ status: 'error', message });
}

/** Misbehaves before a request takes effect. Returns true if there is no regular response. */
export async function misbehaveBeforeEffect(exchange: Exchange): Promise<boolean> {
	const { temper, response } = exchange;
	const { failWith, drop, readOnlyS } = temper;
	const { method } = recordOf(response);
	if (temper.latencyMs) await wait(temper.latencyMs);
	if (applies(failWith, response)) fail(failWith!, exchange);
	else if (drop?.when === 'before' && applies(drop, response)) response.destroy();
	else if (readOnlyS !== undefined && method !== 'GET') {
		response.set('Retry-After', String(readOnlyS));
		sendError(exchange, 503, 'Read-only');
	} else return false;
	return true;
}

/** Misbehaves after a request has taken effect, in place of this response. Returns true if there is no regular response. */
export async function misbehaveAfterEffect(exchange: Exchange, answer: object): Promise<boolean> {
	const { temper, response } = exchange;
	const { failAfterEffect, drop, extraAnswerFields, omitTotalRecords } = temper;
	if (applies(failAfterEffect, response)) fail(failAfterEffect!, exchange);
	else if (drop?.when === 'after' && applies(drop, response)) response.destroy();
	else if (temper.drip) drip(response);
	else if (applies(temper.cutOff, response)) await cutOff(response, answer);
	else if (temper.answerRaw !== undefined) response.socket!.write(temper.answerRaw);
	else if (temper.answerJson !== undefined) sendJson(response, 200, temper.answerJson);
	else if (omitTotalRecords && 'totalRecords' in answer)
		sendJson(response, 200, { ...answer, totalRecords: undefined });
	else if (extraAnswerFields) sendJson(response, 200, { ...answer, ...extraAnswerFields });
	else return false;
	return true;
}
