import type { IHttpRequestOptions, INodeProperties } from 'n8n-workflow';
import { InvalidValueError, quote } from '../values/invalidValue';
import { isBlank } from '../values/text';
import { readWholeNumber } from '../values/wholeNumber';

const DEFAULT_TIMEOUT_MS = 300_000;
const DEFAULT_CONCURRENT_REQUESTS = 10;
const DEFAULT_RETRIES = 3;

/** What a run may ask of the service, read from the node's settings. */
export interface RequestSettings {
	maxConcurrentRequests: number;
	maxRetries: number;
	/** After how many starts to pause, and for how long; 0 ms is no pause. */
	batch: { size: number; intervalMs: number };
	http: Pick<IHttpRequestOptions, 'timeout' | 'proxy' | 'skipSslCertificateValidation'>;
}

/** n8n's loader appends these to its own Request Options (Batching, Proxy, Timeout, SSL) by this property's name. */
export const requestOptionsField: INodeProperties = {
	displayName: 'Request Options',
	name: 'requestOptions',
	type: 'collection',
	isNodeSetting: true,
	placeholder: 'Add option',
	default: {},
	options: [
		{
			displayName: 'Max Concurrent Requests',
			name: 'maxConcurrentRequests',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: DEFAULT_CONCURRENT_REQUESTS,
			description: 'How many requests may wait for an answer at the same time',
		},
		{
			displayName: 'Max Retries',
			name: 'maxRetries',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: DEFAULT_RETRIES,
			description:
				'How often to repeat a request that the service put off or that did not reach it. A request that may have taken effect is never repeated.',
		},
	],
};

interface RawRequestOptions {
	maxConcurrentRequests?: unknown;
	maxRetries?: unknown;
	timeout?: unknown;
	proxy?: unknown;
	allowUnauthorizedCerts?: unknown;
	batching?: { batch?: { batchSize?: unknown; batchInterval?: unknown } };
}

/**
 * Reads the value of the `requestOptions` parameter, with n8n's meaning of its own options:
 * a batch size below 1 counts as 1, and without a time-out requests may take 300 s.
 * @throws InvalidValueError where an option cannot be used
 */
export function readRequestSettings(value: unknown): RequestSettings {
	const options = (value ?? {}) as RawRequestOptions;
	const batch = options.batching?.batch;
	return {
		maxConcurrentRequests: readWholeNumber(
			options.maxConcurrentRequests ?? DEFAULT_CONCURRENT_REQUESTS,
			'Max Concurrent Requests',
			1,
		),
		maxRetries: readWholeNumber(options.maxRetries ?? DEFAULT_RETRIES, 'Max Retries', 0),
		batch: {
			size: Math.max(1, readWholeNumber(batch?.batchSize ?? 1, 'Items per Batch', -1)),
			intervalMs: readWholeNumber(batch?.batchInterval ?? 0, 'Batch Interval (ms)', 0),
		},
		http: {
			timeout: readWholeNumber(options.timeout ?? DEFAULT_TIMEOUT_MS, 'Timeout', 1),
			...(isBlank(options.proxy) ? {} : { proxy: readProxy(options.proxy) }),
			...(options.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
		},
	};
}

function readProxy(value: unknown): IHttpRequestOptions['proxy'] {
	const text = String(value).trim();
	if (!URL.canParse(text) || new URL(text).hostname === '') {
		throw new InvalidValueError(
			'Proxy',
			`is not an address: ${quote(value)}`,
			'Enter it as http://host:port, or as http://user:password@host:port.',
		);
	}
	const url = new URL(text);
	const protocol = url.protocol.replace(/:$/, '');
	return {
		host: url.hostname,
		port: Number(url.port || (protocol === 'https' ? 443 : 80)),
		protocol,
		...(url.username
			? {
					auth: {
						username: decodeURIComponent(url.username),
						password: decodeURIComponent(url.password),
					},
				}
			: {}),
	};
}
