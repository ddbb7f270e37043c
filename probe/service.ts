import { setTimeout as sleep } from 'node:timers/promises';
import type { Answer } from './answer';
import type { Settings } from './settings';

/** A request relative to the Base URL. */
export interface ServiceRequest {
	method: 'GET' | 'POST' | 'DELETE';
	path: string;
	query?: Record<string, string | number>;
	body?: object;
	/** The default is the token of the settings. */
	token?: string;
}

export type Service = ReturnType<typeof createService>;

/** The probe ends before it has asked everything: it was stopped, or a request got no response. */
export class Interruption extends Error {}

const TIMEOUT_MS = 30_000;
const LONGEST_WAIT_S = 60;

/** Creates what sends requests with plain `fetch`, since the client of the node hides what the probe wants to see. */
export function createService({ baseUrl, token }: Settings) {
	const answers: Answer[] = [];

	async function exchange(request: ServiceRequest): Promise<Answer> {
		const { method, path, query = {}, body } = request;
		// Not URLSearchParams, which writes a space as +.
		const search = Object.entries(query).map(
			([name, value]) => `${name}=${encodeURIComponent(value)}`,
		);
		const response = await fetch(`${baseUrl}${path}?${search.join('&')}`.replace(/\?$/, ''), {
			method,
			redirect: 'manual',
			signal: AbortSignal.timeout(TIMEOUT_MS),
			headers: {
				accept: 'application/json',
				authorization: `Bearer ${request.token ?? token}`,
				...(body && { 'content-type': 'application/json' }),
			},
			body: body && JSON.stringify(body),
		});
		const text = await response.text();
		return { status: response.status, headers: response.headers, text, json: parse(text) };
	}

	async function sendOnce(request: ServiceRequest): Promise<Answer> {
		const answer = await exchange(request).catch((error: Error & { cause?: { code?: string } }) => {
			throw new Interruption(`no response (${error.cause?.code ?? error.name})`);
		});
		answers.push(answer);
		return answer;
	}

	return {
		/** All responses, in order. */
		answers,
		/** Sends a request, once more after 429. */
		async send(request: ServiceRequest): Promise<Answer> {
			const answer = await sendOnce(request);
			if (answer.status !== 429) return answer;
			await sleep(waitMs(answer));
			return await sendOnce(request);
		},
	};
}

function waitMs({ headers }: Answer): number {
	const asked = Number(headers.get('retry-after') ?? 1);
	return 1000 * Math.min(LONGEST_WAIT_S, asked > 0 ? asked : 1);
}

function parse(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
