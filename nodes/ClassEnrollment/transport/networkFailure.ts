import { type AttemptResult, type Classification, CLASSIFICATIONS } from './outcome';

/** The address that did not respond, and whether it may be the proxy. */
export interface Address {
	url: string;
	usesProxy: boolean;
}

/** The error of n8n's helper, as far as it tells why no response came. */
interface HelperError extends Error {
	httpCode?: string | null;
	messages?: string[];
	/** Missing in n8n 2.0, where the messages tell. */
	cause?: Fault & { cause?: Fault & { errors?: Fault[] } };
}

interface Fault {
	code?: string;
	message?: string;
}

const { unavailable, interrupted, misconfigured } = CLASSIFICATIONS;

/** By the code of Node.js or n8n, the first one that fits. With any other, the connection broke. */
const BY_CODE: ReadonlyArray<[codes: RegExp, Classification, reason: string]> = [
	[/^ECONNREFUSED$/, unavailable, 'connection refused'],
	[/^EAI_AGAIN$/, unavailable, 'the host was not found'],
	[/^ENOTFOUND$/, { ...unavailable, isFatal: true }, 'the host was not found'],
	[/^(ECONNABORTED|ETIMEDOUT)$/, interrupted, 'it took too long to respond'],
	[/^(ECONNRESET|EPIPE)$/, interrupted, 'the connection was closed'],
	[/BAD_RESPONSE/, interrupted, 'it was cut off'],
	[/^ERR_CANCELED$/, interrupted, 'the execution was cancelled'],
	[/^EPROTO$/, misconfigured, 'no HTTPS connection could be made'],
	[
		/CERT|SELF_SIGNED|UNABLE_TO_|ALTNAME/,
		misconfigured,
		"its security certificate can't be trusted. If you trust the service, turn on 'Ignore SSL Issues (Insecure)' in the 'Class Enrollment API' credential",
	],
	[
		/^SsrfBlocked|request was blocked because/,
		misconfigured,
		'n8n blocked the request. Ask your n8n administrator to allow this host (N8N_SSRF_ALLOWED_HOSTNAMES)',
	],
];

/** What Node.js says if it failed before anything could be sent. */
const NOT_CONNECTED = /^(connect|getaddrinfo) |before secure TLS connection was established/;

/** Returns the result of a request that threw: an error of n8n's helper, or any other, such as a bug around it. */
export function resultOfError(error: unknown, address: Address): AttemptResult {
	const { name, message, cause, httpCode } = (error ?? {}) as Partial<HelperError>;
	// By its name, since a second copy of n8n-workflow has its own class.
	if (name !== 'NodeApiError') {
		const text = `The request to ${address.url} failed: ${message}`;
		return { ...interrupted, message: text, reason: `${message}` };
	}
	// By the version of n8n, the code is in one of these.
	const result = networkFailure(cause?.code ?? httpCode ?? `${message}`, address);
	const isUnreached = result.outcome === 'unknown' && failedToConnect(error as HelperError);
	return isUnreached ? { ...result, ...unavailable } : result;
}

/** Returns the result of a request without a response. */
export function networkFailure(code: string, { url, usesProxy }: Address): AttemptResult {
	const known = BY_CODE.find(([codes]) => codes.test(code));
	const [, classification, reason] = known ?? [
		/./,
		interrupted,
		`the connection failed with ${code}`,
	];
	const where = usesProxy ? `${url} through the proxy` : url;
	const check = usesProxy
		? "Check 'Proxy' under Settings > Request Options, and 'Base URL' in the 'Class Enrollment API' credential."
		: "Check 'Base URL' in the 'Class Enrollment API' credential. Check that this n8n can reach that address.";
	const later = ' If it worked before, the service is most likely down: try again later.';
	const advice = classification === misconfigured ? check : `${check}${later}`;
	return { ...classification, message: `No response from ${where}: ${reason}`, advice, reason };
}

/** Whether the connection failed before it was made. */
function failedToConnect({ cause, messages = [] }: HelperError): boolean {
	// A host with several addresses has a fault for each.
	const fault = cause?.cause?.errors?.[0] ?? cause?.cause;
	return [fault?.message ?? '', ...messages].some((text) => NOT_CONNECTED.test(text));
}
