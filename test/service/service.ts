import express, { type RequestHandler } from 'express';
import { attempt, isError } from 'lodash';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createClassStore } from './classStore';
import { freePort } from '../n8n/ports';
import { checkContract, createErrorAnswer, type Violation } from './contract';
import { createRoutes, type MagicLink, type Operation } from './operations';
import { Refusal } from './refusal';
import { createRequestLog, recordOf } from './requestLog';
import { misbehaveAfterEffect, misbehaveBeforeEffect, refuse, type Temper } from './temper';

export type { Student } from './classStore';
export type { RequestRecord } from './requestLog';
export type { Temper } from './temper';

export interface ServiceOptions {
	/** The only valid token; the default is `test-access-token`. */
	accessToken?: string;
}

export type Service = Awaited<ReturnType<typeof startService>>;

/**
 * Starts a stand-in for the service on 127.0.0.1, without classes.
 *
 * A page of the class list has 10 classes by default; a page before the first or after the last one is empty.
 * `sortBy` changes nothing: which orders there are is not documented.
 */
export async function startService(options: ServiceOptions = {}) {
	const classes = createClassStore();
	const magicLinks: MagicLink[] = [];
	const data = { classes, magicLinks };
	const violations: Violation[] = [];
	const log = createRequestLog();

	const callHook: RequestHandler = async (_request, response, next) => {
		await service.temper.onRequest?.(recordOf(response));
		app.locals.accessToken = service.accessToken;
		next();
	};

	const carryOut =
		(operation: Operation): RequestHandler<{ id: string }> =>
		async (request, response) => {
			const temper = service.temper.forRequest?.(recordOf(response)) ?? service.temper;
			if (await misbehaveBeforeEffect({ temper, response })) return;
			const answer = attempt(() => operation(request, temper));
			if (answer instanceof Refusal) return refuse(answer, { temper, response });
			if (isError(answer)) throw answer;
			if (await misbehaveAfterEffect({ temper, response }, answer)) return;
			response.json(answer);
		};

	const app = express();
	app.use(log.open, express.json({ limit: '100mb' }), log.start, callHook);
	app.use(checkContract());
	for (const { method, path, operation } of createRoutes(data)) {
		app[method](`/v1${path}`, carryOut(operation));
	}
	app.use((request) => {
		throw Object.assign(new Error(`Unknown path: ${request.path}`), { status: 404 });
	});
	app.use(createErrorAnswer(violations));

	const server = createServer(app);
	server.listen(await freePort('standIn'), '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;

	const service = {
		/** With `/v1`, without a slash at the end. */
		baseUrl: `http://127.0.0.1:${port}/v1`,
		/** The only valid token. It can be replaced at any time. */
		accessToken: options.accessToken ?? 'test-access-token',
		classes,
		/** How the service misbehaves. It can be changed or replaced at any time; `{}` is regular behavior. */
		temper: {} as Temper,
		/** All requests, in order of arrival. */
		requests: log.requests,
		/** Requests and regular responses that did not match the contract. */
		violations,
		/** The magic links sent, in order. */
		magicLinks,
		/** What the operations have changed, as text. */
		state: () => JSON.stringify(data),

		/** The most requests at the same time. Needs a `latencyMs`, because responses are immediate. */
		get peakInFlight() {
			return log.peakInFlight;
		},

		/** Forgets requests, violations, magic links and counts; classes and temper stay. */
		resetRecord() {
			log.reset();
			violations.length = 0;
			magicLinks.length = 0;
		},

		/** Stops immediately and closes open connections. */
		async close() {
			if (!server.listening) return;
			const closed = once(server, 'close');
			server.close();
			server.closeAllConnections();
			await closed;
		},

		/** Listens on the same port again after `close`; nothing is forgotten. */
		async reopen() {
			server.listen(port, '127.0.0.1');
			await once(server, 'listening');
		},
	};
	return service;
}

/** What the service received, without what is the same in every request. */
export const received = (service: Service) =>
	service.requests.map(({ method, path, query, body }) => ({ method, path, query, body }));
