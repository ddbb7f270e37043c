import { get, signIn, type Owner, type Session } from './session';
import { eventually } from './waiting';

export interface RunningN8n {
	url: string;
	/** Is created if this n8n has no owner yet. */
	owner: Pick<Owner, 'email' | 'password'>;
}

const {
	CLASS_ENROLLMENT_N8N_URL: url,
	CLASS_ENROLLMENT_N8N_EMAIL: email,
	CLASS_ENROLLMENT_N8N_PASSWORD: password,
} = process.env;

/**
 * The n8n that is already running and is to be tested, from the environment variables CLASS_ENROLLMENT_N8N_URL,
 * _EMAIL and _PASSWORD. Undefined if the first is not set: then the tests start their own.
 */
export function runningN8n(): RunningN8n | undefined {
	if (!url) return undefined;
	if (!email || !password) {
		throw new Error('Set CLASS_ENROLLMENT_N8N_EMAIL and CLASS_ENROLLMENT_N8N_PASSWORD, too.');
	}
	return { url: url.replace(/\/$/, ''), owner: { email, password } };
}

/** Waits until this n8n answers, signs in, and says which version it is. */
export async function enter({ url, owner }: RunningN8n): Promise<Session> {
	const session = await eventually(async () => await signIn(url, owner));
	const { versionCli } = await get<{ versionCli: string }>(session, '/settings');
	console.log(`Testing n8n ${versionCli}, which is running at ${url}`);
	return session;
}
