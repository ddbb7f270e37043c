import { type INode, NodeApiError } from 'n8n-workflow';
import {
	ConnectionError,
	toConnectionError,
} from '../../nodes/ClassEnrollment/transport/connectionError';

const NODE: INode = {
	id: '',
	name: '',
	type: '',
	typeVersion: 1,
	position: [0, 0],
	parameters: {},
};

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
		['ETIMEDOUT', 'connect', false],
		['EHOSTUNREACH', 'connect', false],
		['ENETUNREACH', 'connect', false],
		['ECONNREFUSED', 'connect', false],
		['ENOTFOUND', 'getaddrinfo', false],
		['EAI_AGAIN', 'getaddrinfo', false],
		['ETIMEDOUT', 'read', true],
		['EHOSTUNREACH', 'read', true],
		['ENETUNREACH', 'write', true],
		['ECONNRESET', 'read', true],
	])('after %s on %s the request can have arrived: %s', (code, syscall, mayHaveArrived) => {
		const fault = new Error(`${syscall} ${code} 203.0.113.1:443`);
		const error = toConnectionError(
			helperErrors[form]!(Object.assign(fault, { code, syscall })),
			'',
		);
		expect(error).toBeInstanceOf(ConnectionError);
		expect(error).toMatchObject({ code, mayHaveArrived });
	});
});
