import { type Fate, meaningOf, type Outcome } from './fate';
import { TRY_LATER } from './serviceError';

/** The address that did not respond, and whether it may be the proxy. */
export interface Address {
	url: string;
	usesProxy: boolean;
}

/** Why no response came, or not all of it; with a text and advice of its own where the usual ones do not fit. */
type Explanation = [codes: RegExp, fate: Fate, reason: string, text?: string, advice?: string];

export const TIMED_OUT = 'ETIMEDOUT';
/** n8n's own protection against forged requests (N8N_SSRF_PROTECTION_ENABLED). */
const BLOCKED = /^SsrfBlocked|request was blocked because/;

/** By code, the first one that fits. Codes that may break a connection or prevent it count as `broken`. */
const EXPLANATIONS: readonly Explanation[] = [
	[/^ECONNREFUSED$/, 'unreached', 'connection refused'],
	[/^ENOTFOUND$/, 'unreached', 'the host was not found'],
	[/^EAI_AGAIN$/, 'unreached', 'the host name could not be resolved'],
	[/^E(HOST|NET)UNREACH$/, 'broken', 'the host is unreachable'],
	[/^(ECONNABORTED|ETIMEDOUT)$/, 'silent', 'it took too long to respond'],
	[/^ECONNRESET$|^EPIPE$/, 'broken', 'the connection was closed'],
	[/BAD_RESPONSE/, 'broken', 'it was cut off', 'The response from {} was cut off', TRY_LATER],
	[/^ERR_CANCELED$/, 'broken', 'it was cancelled', 'The execution was cancelled', ''],
	[/^EPROTO$/, 'hopeless', 'no HTTPS connection could be made'],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME|HOSTNAME_MISMATCH/,
		'hopeless',
		"its security certificate cannot be trusted. If you trust the service, turn on 'Ignore SSL Issues (Insecure)' in the credential 'Class Enrollment API'",
	],
	// Unlike with EPROTO, the request may have arrived.
	[/SSL|TLS/, 'broken', 'the encrypted connection failed'],
	[
		/^ERR_INVALID/,
		'hopeless',
		'the access token contains a character that cannot be sent. Copy it into the credential again',
	],
	[
		BLOCKED,
		'hopeless',
		'n8n blocked the request',
		'n8n blocked the request to {}',
		"This n8n protects itself against requests to internal addresses. Check the Base URL of the credential 'Class Enrollment API', or ask your n8n administrator to allow its host (N8N_SSRF_ALLOWED_HOSTNAMES).",
	],
];

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

/** Turns an error into what became of the request: that of n8n's helper, or any other, before or after the helper's. */
export function toNoResponse(error: unknown, address: Address): Outcome {
	// Anything can be thrown, also undefined.
	const helperError = Object(error) as HelperError;
	const { name, message = 'unknown error', cause, httpCode } = helperError;
	// By its name, since a second copy of n8n-workflow has its own class.
	if (name !== 'NodeApiError') {
		const text = `The request to ${address.url} failed: ${message}`;
		return { fate: 'broken', message: text, advice: TRY_LATER, reason: message };
	}
	const blocked = [cause, cause?.cause].find((fault) => BLOCKED.test(fault?.name ?? ''));
	const outcome = noResponse(blocked?.name ?? cause?.code ?? httpCode ?? message, address);
	const mayBeUnsent = meaningOf(outcome.fate).effect === 'unknown';
	return mayBeUnsent && isConnecting(helperError) ? { ...outcome, fate: 'unreached' } : outcome;
}

/** What became of a request without a response, from a Node.js error code. */
export function noResponse(code: string, { url, usesProxy }: Address): Outcome {
	const other: Explanation = [/./, 'broken', `the connection failed with ${code}`];
	const [, fate, reason, text = `No response from {}: ${reason}`, advice] =
		EXPLANATIONS.find(([codes]) => codes.test(code)) ?? other;
	const usualAdvice = usesProxy
		? "Check the Proxy under Request Options in the node's settings, and the Base URL of the credential 'Class Enrollment API'."
		: "Check the Base URL of the credential 'Class Enrollment API' and that this n8n can reach it.";
	return {
		fate,
		code,
		message: text.replace('{}', () => (usesProxy ? `${url} through the proxy` : url)),
		advice: advice ?? usualAdvice,
		reason,
	};
}

/** Whether the connection failed before it was made. */
function isConnecting({ cause, description, messages }: HelperError): boolean {
	// A host with several addresses has a fault for each.
	const fault = cause?.cause?.errors?.[0] ?? cause?.cause;
	const texts = [description ?? '', ...(messages ?? [])];
	return fault?.syscall === 'connect' || texts.some((text) => text.startsWith('connect '));
}
