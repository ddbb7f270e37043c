import type { NoResponse } from './http';

/** The code of a request that was ended because the execution was cancelled. */
export const CANCELLED = 'ERR_CANCELED';
/** Codes of a service that took too long. */
export const TIMEOUT = /^(ECONNABORTED|ETIMEDOUT)$/;
/** Codes of a certificate that cannot be trusted. */
export const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH/;
/** n8n's own protection against forged requests (N8N_SSRF_PROTECTION_ENABLED). */
export const BLOCKED = /^SsrfBlocked|request was blocked because/;

// Later faults of an encrypted connection have codes such as ERR_SSL_…: the request may have arrived.
const HANDSHAKE = /^EPROTO$/;
const UNSENDABLE = /^ERR_INVALID/;
const HOPELESS = [CERTIFICATE, HANDSHAKE, UNSENDABLE, BLOCKED];
// Others, such as EHOSTUNREACH, may also break a connection.
const NOT_CONNECTED = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** The error of n8n's helper, as far as it tells why no response came. */
interface HelperError extends Error {
	httpCode?: string | null;
	description?: string | null;
	messages?: string[];
	/** Missing in n8n 2.0, where the messages tell. */
	cause?: Fault & { cause?: Fault & { errors?: Fault[] } };
}

interface Fault {
	name?: string;
	code?: string;
	syscall?: string;
}

/**
 * Turns the error of n8n's helper into the reason why no response came.
 * @throws any other error as it is
 */
export function toNoResponse(error: unknown, url: string): NoResponse {
	const { name, message, cause, httpCode } = error as HelperError;
	// By its name, since a second copy of n8n-workflow has its own class.
	if (name !== 'NodeApiError') throw error;
	const blocked = [cause, cause?.cause].find((fault) => BLOCKED.test(fault?.name ?? ''));
	const code = blocked?.name ?? cause?.code ?? httpCode ?? message;
	return { code, url, fate: fateOf(code, error as HelperError) };
}

function fateOf(code: string, error: HelperError): NoResponse['fate'] {
	if (HOPELESS.some((codes) => codes.test(code))) return 'hopeless';
	return NOT_CONNECTED.includes(code) || isConnecting(error) ? 'deferred' : 'unknown';
}

/** Whether the connection failed before it was made. */
function isConnecting({ cause, description, messages }: HelperError): boolean {
	// A host with several addresses has a fault for each.
	const fault = cause?.cause?.errors?.[0] ?? cause?.cause;
	const texts = [description ?? '', ...(messages ?? [])];
	return fault?.syscall === 'connect' || texts.some((text) => text.startsWith('connect '));
}
