import { setTimeout as sleep } from 'node:timers/promises';

import { PATIENCE_MS } from './waiting';

/** A signed-in user of n8n's internal REST API, which the editor uses. */
export interface Session {
	url: string;
	cookie: string;
	/** The ID of the user's personal project, which contains workflows, credentials and data tables. */
	projectId: string;
}

const BUSY_PAUSE_MS = 1000;

export interface Owner {
	email: string;
	password: string;
	firstName: string;
	lastName: string;
}

export const DEMO_OWNER: Owner = {
	email: 'owner@example.com',
	password: 'Enrollment-1',
	firstName: 'Demo',
	lastName: 'Owner',
};

/** Creates the owner of a new n8n, and signs in. */
export async function openSession(url: string, owner = DEMO_OWNER): Promise<Session> {
	return await toSession(url, await send({ url, cookie: '' }, 'POST', '/owner/setup', owner));
}

/** Signs in to an n8n. If it has no owner yet, this one is created. */
export async function signIn(
	url: string,
	{ email, password }: Pick<Owner, 'email' | 'password'>,
): Promise<Session> {
	const { userManagement } = await get<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
		{ url, cookie: '' },
		'/settings',
	);
	if (userManagement.showSetupOnFirstLoad)
		return await openSession(url, { ...DEMO_OWNER, email, password });
	const body = { emailOrLdapLoginId: email, password };
	return await toSession(url, await send({ url, cookie: '' }, 'POST', '/login', body));
}

async function toSession(url: string, response: Response): Promise<Session> {
	const cookie = response.headers
		.getSetCookie()
		.map((line) => line.split(';')[0])
		.join('; ');
	const { id: projectId } = await get<{ id: string }>({ url, cookie }, '/projects/personal');
	return { url, cookie, projectId };
}

type Connection = Pick<Session, 'url' | 'cookie'>;

/** Sends a GET request, again while n8n says that it is busy (its database does not respond in time), or hangs up. */
export async function get<T>(connection: Connection, path: string): Promise<T> {
	const deadline = Date.now() + PATIENCE_MS;
	for (;;) {
		try {
			return await data<T>(await send(connection, 'GET', path));
		} catch (error) {
			if (!isPassing(error) || Date.now() > deadline) throw error;
			await sleep(BUSY_PAUSE_MS);
		}
	}
}

/** n8n closes a connection that has been idle, also just when it is used again. */
function isPassing(error: unknown): boolean {
	if (!(error instanceof Error)) return false;
	const { cause } = error as { cause?: number | { code?: string } };
	return cause === 503 || (typeof cause === 'object' && cause.code === 'UND_ERR_SOCKET');
}

/** Sends a POST request. */
export async function post<T>(connection: Connection, path: string, body: object = {}): Promise<T> {
	return await data<T>(await send(connection, 'POST', path, body));
}

/** Sends a PATCH request. */
export async function patch<T>(connection: Connection, path: string, body: object): Promise<T> {
	return await data<T>(await send(connection, 'PATCH', path, body));
}

/** Sends a DELETE request. */
export async function remove(connection: Connection, path: string): Promise<void> {
	await send(connection, 'DELETE', path);
}

async function data<T>(response: Response): Promise<T> {
	const body = (await response.json()) as { data: T };
	return body.data;
}

async function send(connection: Connection, method: string, path: string, body?: object) {
	const response = await fetch(`${connection.url}/rest${path}`, {
		method,
		headers: {
			...(connection.cookie && { cookie: connection.cookie }),
			...(body && { 'content-type': 'application/json' }),
		},
		body: body && JSON.stringify(body),
		signal: AbortSignal.timeout(PATIENCE_MS),
	});
	if (!response.ok) {
		const text = await response.text();
		const message = `n8n answered ${method} ${path} with ${response.status}: ${text.slice(0, 500)}`;
		throw new Error(message, { cause: response.status });
	}
	return response;
}
