import { type INode, NodeApiError } from 'n8n-workflow';
import { resultOfError } from '../../nodes/ClassEnrollment/transport/networkFailure';

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

const UNREACHED = { outcome: 'notProcessed', isTemporary: true };
const BROKEN = { outcome: 'unknown', isTemporary: true };
const UNSENDABLE = { outcome: 'notProcessed', isFatal: true };

describe.each(Object.keys(helperErrors))('an error of n8n %s', (form) => {
	test.each([
		['ETIMEDOUT', 'connect', UNREACHED],
		['EHOSTUNREACH', 'connect', UNREACHED],
		['ENETUNREACH', 'connect', UNREACHED],
		['ECONNREFUSED', 'connect', UNREACHED],
		['ENOTFOUND', 'getaddrinfo', { ...UNREACHED, isFatal: true }],
		['EAI_AGAIN', 'getaddrinfo', UNREACHED],
		['EAI_FAIL', 'getaddrinfo', UNREACHED],
		['ETIMEDOUT', 'read', BROKEN],
		['EHOSTUNREACH', 'read', BROKEN],
		['ENETUNREACH', 'write', BROKEN],
		['ECONNRESET', 'read', BROKEN],
		['EPROTO', 'write', UNSENDABLE],
		['CERT_HAS_EXPIRED', 'read', UNSENDABLE],
		['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'read', UNSENDABLE],
		['ERR_TLS_CERT_ALTNAME_INVALID', 'read', UNSENDABLE],
		['ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC', 'read', BROKEN],
		['ERR_SSL_TLSV1_ALERT_INTERNAL_ERROR', 'read', BROKEN],
		['ERR_SSL_WRONG_VERSION_NUMBER', 'read', BROKEN],
	])('what became of a request after %s on %s: %j', (code, syscall, meaning) => {
		const fault = new Error(`${syscall} ${code} 203.0.113.1:443`);
		const error = helperErrors[form]!(Object.assign(fault, { code, syscall }));
		expect(resultOfError(error, TARGET)).toMatchObject(meaning);
	});

	test('before a secure connection was made, nothing was sent', () => {
		const text = 'Client network socket disconnected before secure TLS connection was established';
		const fault = Object.assign(new Error(text), { code: 'ECONNRESET' });
		expect(resultOfError(helperErrors[form]!(fault), TARGET)).toMatchObject(UNREACHED);
	});
});

test('after an error that is not of n8n, nobody knows what became of the request', () => {
	expect(resultOfError(undefined, TARGET)).toMatchObject(BROKEN);
	const message = 'The request to https://api.example.com failed: a bug';
	expect(resultOfError(new TypeError('a bug'), TARGET)).toMatchObject({ ...BROKEN, message });
});
