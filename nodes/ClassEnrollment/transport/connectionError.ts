import { CancelledError } from './delay';

/** Codes of faults in setting up an encrypted connection. */
export const TLS_FAULT =
	/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH|ERR_TLS|SSL|^EPROTO$/;

/** Codes of a service that took too long. */
export const TIMEOUT = /^(ECONNABORTED|ETIMEDOUT)$/;

// Codes that come before there is a connection. Others, such as EHOSTUNREACH, may also break one.
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** No response came, or not all of it. */
export class ConnectionError extends Error {
	constructor(
		/** Why, as a Node.js error code. */
		readonly code: string,
		readonly url: string,
		/** Whether the request can have reached the service. */
		readonly mayHaveArrived: boolean,
	) {
		super(code);
	}

	/** Whether every further try would fail too. */
	get isPermanent(): boolean {
		return isPermanent(this.code);
	}
}

/** The error of n8n's helper, as far as it tells why no response came. */
interface HelperError extends Error {
	httpCode?: string | null;
	description?: string | null;
	messages?: string[];
	/** Missing in n8n 2.0, where the messages tell. */
	cause?: { code?: string; cause?: { syscall?: string; errors?: Array<{ syscall?: string }> } };
}

/** Turns the error of n8n's helper into a ConnectionError, or into a CancelledError; others stay as they are. */
export function toConnectionError(error: unknown, url: string): unknown {
	const { name, message, cause, httpCode, messages, description } = error as HelperError;
	// By its name, since a second copy of n8n-workflow has a class of its own.
	if (name !== 'NodeApiError') return error;
	const code = cause?.code ?? httpCode ?? message;
	if (code === 'ERR_CANCELED') return new CancelledError();
	// A host with several addresses has a fault for each.
	const syscall = (cause?.cause?.errors?.[0] ?? cause?.cause)?.syscall;
	const texts = [description ?? '', ...(messages ?? [])];
	const isConnecting = syscall === 'connect' || texts.some((text) => text.startsWith('connect '));
	const neverArrived = isConnecting || NOT_CONNECTED.includes(code) || isPermanent(code);
	return new ConnectionError(code, url, !neverArrived);
}

function isPermanent(code: string): boolean {
	return TLS_FAULT.test(code) || code.startsWith('ERR_INVALID');
}
