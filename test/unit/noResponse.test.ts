import { type INode, NodeApiError } from 'n8n-workflow';
import { toNoResponse } from '../../nodes/ClassEnrollment/transport/noResponse';

const NODE = { name: '' } as INode;
const TARGET = { url: 'https://api.example.com', usesProxy: false };

/** The error of n8n's helper for a fault of the network: n8n 2.0 gives no cause, newer ones do. */
const helperErrors: Record<string, (fault: Error & { code: string }) => NodeApiError> = {
	'without a cause': ({ message, code }) => new NodeApiError(NODE, { message, code }),
	'with its cause': (cause) => withCause(cause.code, cause),
	'with the causes of several addresses': (cause) =>
		withCause(cause.code, new AggregateError([cause, cause])),
};

function withCause(code: string, cause: Error): NodeApiError {
	const error = new NodeApiError(NODE, { message: code, code });
	return Object.assign(error, { cause: Object.assign(new Error(code), { code, cause }) });
}

describe.each(Object.keys(helperErrors))('an error of n8n %s', (form) => {
	test.each([
		['ETIMEDOUT', 'connect', 'unreached'],
		['EHOSTUNREACH', 'connect', 'unreached'],
		['ENETUNREACH', 'connect', 'unreached'],
		['ECONNREFUSED', 'connect', 'unreached'],
		['ENOTFOUND', 'getaddrinfo', 'unreached'],
		['EAI_AGAIN', 'getaddrinfo', 'unreached'],
		['ETIMEDOUT', 'read', 'failed'],
		['EHOSTUNREACH', 'read', 'failed'],
		['ENETUNREACH', 'write', 'failed'],
		['ECONNRESET', 'read', 'failed'],
		['EPROTO', 'write', 'hopeless'],
		['CERT_HAS_EXPIRED', 'read', 'hopeless'],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'read', 'hopeless'],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'read', 'hopeless'],
		['ERR_INVALID_CHAR', 'write', 'hopeless'],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'read', 'failed'],
		['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'read', 'failed'],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'read', 'failed'],
	])('what became of a request after %s on %s: %s', (code, syscall, fate) => {
		const fault = new Error(`${syscall} ${code} 203.0.113.1:443`);
		const error = helperErrors[form]!(Object.assign(fault, { code, syscall }));
		expect(toNoResponse(error, TARGET)).toMatchObject({ code, fate });
	});
});

test('after an error that is not of n8n, nobody knows what became of the request', () => {
	const message = 'The request to https://api.example.com failed: a bug';
	expect(toNoResponse(new TypeError('a bug'), TARGET)).toMatchObject({ fate: 'failed', message });
});
