import type { Response } from 'express';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Student } from './classStore';
import { Refusal } from './refusal';
import { recordOf, type RequestRecord } from './requestLog';

/** Which requests a misbehaviour is for; without these, all. */
export interface Aim {
	/** Only that many requests; counts down to 0. */
	times?: number;
	only?: (request: RequestRecord) => boolean;
}

export interface Failure extends Aim {
	status: number;
	/** A body to send as JSON; default is the service's error body. */
	body?: unknown;
	/** A body to send as it is, instead of JSON. */
	text?: string;
	headers?: Record<string, string>;
}

export interface Drop extends Aim {
	/** `before`: nothing was handled. `after`: the effect took place, the answer is lost. */
	when: 'before' | 'after';
}

export interface RateLimit {
	requestsPerSecond: number;
	/** The form of the Retry-After header. */
	retryAfter: 'seconds' | 'date';
}

/** How the service misbehaves towards requests that keep to the contract. Empty: not at all. */
export interface Temper {
	/** Called with every request, good or bad, before anything is done with it. */
	onRequest?: (request: RequestRecord) => void | Promise<void>;

	/** The number of the first page; default 1. */
	firstPage?: 0 | 1;
	/** The most classes a page has, whatever is asked for. */
	maxPageSize?: number;
	/** Each page after the first repeats that many classes of the one before it. */
	overlapPages?: number;
	omitTotalRecords?: boolean;

	/** Answers 429 to what is too much for the last second. A new object starts a new count. */
	rateLimit?: RateLimit;
	/** Waits that many milliseconds before handling a request. */
	latencyMs?: number;
	failWith?: Failure;
	drop?: Drop;
	/** Sends the client elsewhere, with nothing handled. */
	redirectTo?: { location: string; status: 301 | 302 | 303 | 307 | 308 };
	/** Answers 200 with a login page, with nothing handled. */
	answerHtml?: boolean;
	/** Refuses a whole request that has one of these e-mail addresses, in whatever case. */
	rejectEmails?: string[];

	/** Holds the answer back that many milliseconds after the effect took place; Infinity: for ever. */
	stallMs?: number;
	/** Answers without a body, after the effect took place. */
	answerEmpty?: 200 | 204;
	/** Answers 200 with this body, after the effect took place. */
	answerText?: { text: string; contentType: string };
	/** Fields that the answers to adding, removing and sending a link have besides. */
	extraAnswerFields?: Record<string, unknown>;
}

/** One request under a temper: what came, and where the answer goes. */
export interface Exchange {
	temper: Temper;
	response: Response;
	/** The regular answer, once there is one. */
	answer?: object;
}

/** Returns true where it has dealt with the request, so that no regular answer is due. */
type Misbehaviour = (exchange: Exchange) => boolean | Promise<boolean>;

const loginPage = '<!DOCTYPE html><html><body><h1>Sign in</h1></body></html>';

/** Whether a misbehaviour is meant for this request; uses up one of its times if so. */
function isMeant(aim: Aim, record: RequestRecord): boolean {
	if (aim.times === 0 || aim.only?.(record) === false) return false;
	if (aim.times !== undefined) aim.times--;
	return true;
}

/** Sends what is no regular answer, so that it is not held against the contract. */
function send(response: Response, status: number, contentType: string, text: string): true {
	if (!response.hasHeader('content-type')) response.type(contentType);
	response.status(status).send(text);
	return true;
}

function sendJson(response: Response, status: number, body: unknown): true {
	return send(response, status, 'json', JSON.stringify(body));
}

async function wait(ms: number): Promise<false> {
	if (ms === Infinity) return await new Promise(() => {});
	return await sleep(ms, false, { ref: false });
}

const admittedUnder = new WeakMap<RateLimit, number[]>();

const limitRate: Misbehaviour = ({ temper: { rateLimit }, response }) => {
	if (!rateLimit) return false;
	const now = Date.now();
	const admitted = (admittedUnder.get(rateLimit) ?? []).filter((time) => time > now - 1000);
	admittedUnder.set(rateLimit, admitted);
	if (admitted.length < rateLimit.requestsPerSecond) {
		admitted.push(now);
		return false;
	}
	const retryAfter = {
		seconds: () => '1',
		date: () => new Date(Math.ceil(now / 1000 + 1) * 1000).toUTCString(),
	};
	response.set('Retry-After', retryAfter[rateLimit.retryAfter]());
	return sendJson(response, 429, { status: 'error', message: 'Too many requests' });
};

const delay: Misbehaviour = async ({ temper: { latencyMs } }) =>
	latencyMs ? await wait(latencyMs) : false;

const fail: Misbehaviour = ({ temper: { failWith }, response }) => {
	if (!failWith || !isMeant(failWith, recordOf(response))) return false;
	const { status, text, headers } = failWith;
	response.set(headers ?? {});
	if (text !== undefined) return send(response, status, 'text', text);
	const standard = { status: 'error', message: `Told to fail with ${status}` };
	return sendJson(response, status, failWith.body ?? standard);
};

const drop =
	(when: Drop['when']): Misbehaviour =>
	({ temper, response }) => {
		if (temper.drop?.when !== when || !isMeant(temper.drop, recordOf(response))) return false;
		response.destroy();
		return true;
	};

const redirect: Misbehaviour = ({ temper: { redirectTo }, response }) => {
	if (redirectTo) response.redirect(redirectTo.status, redirectTo.location);
	return redirectTo !== undefined;
};

const answerHtml: Misbehaviour = ({ temper, response }) =>
	temper.answerHtml ? send(response, 200, 'html', loginPage) : false;

const rejectEmails: Misbehaviour = ({ temper, response }) => {
	const body = (recordOf(response).body ?? {}) as { email?: string; students?: Student[] };
	const emails = [body.email ?? [], (body.students ?? []).map(({ email }) => email)].flat();
	const rejected = new Set(temper.rejectEmails?.map((email) => email.toLowerCase()));
	const atFault = emails.find((email) => rejected.has(email.toLowerCase()));
	if (atFault !== undefined) throw new Refusal(`E-mail address not accepted: ${atFault}`);
	return false;
};

const stall: Misbehaviour = async ({ temper: { stallMs } }) =>
	stallMs ? await wait(stallMs) : false;

const answerEmpty: Misbehaviour = ({ temper: { answerEmpty: status }, response }) => {
	if (status) response.status(status).end();
	return status !== undefined;
};

const answerText: Misbehaviour = ({ temper: { answerText: answer }, response }) =>
	answer ? send(response, 200, answer.contentType, answer.text) : false;

const omitTotalRecords: Misbehaviour = ({ temper, response, answer }) =>
	temper.omitTotalRecords && answer && 'totalRecords' in answer
		? sendJson(response, 200, { ...answer, totalRecords: undefined })
		: false;

const beforeEffect = [limitRate, delay, fail, drop('before'), redirect, answerHtml, rejectEmails];

const afterEffect = [stall, drop('after'), answerEmpty, answerText, omitTotalRecords];

async function someDealtWith(misbehaviours: Misbehaviour[], exchange: Exchange): Promise<boolean> {
	for (const misbehave of misbehaviours) if (await misbehave(exchange)) return true;
	return false;
}

/** Does what the temper has for a request before its effect. True: dealt with, no effect is due. */
export const misbehaveBeforeEffect = (exchange: Exchange) => someDealtWith(beforeEffect, exchange);

/** Does what the temper has for a request after its effect. True: dealt with, no answer is due. */
export const misbehaveAfterEffect = (exchange: Exchange) => someDealtWith(afterEffect, exchange);
