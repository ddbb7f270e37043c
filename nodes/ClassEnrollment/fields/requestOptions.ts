import { get } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import type { HttpSettings } from '../transport/http';
import type { PacerSettings } from '../transport/pacer';
import { type Batching, createRateLimiter } from '../transport/rateLimiter';
import { InvalidValueError } from '../values/invalidValue';
import { toObject } from '../values/json';
import { isBlank, textOf } from '../values/text';
import { parseWholeNumber } from '../values/wholeNumber';

// docs/reference.md lists these.
const DEFAULT_TIMEOUT_MS = 300_000;
// Twelve days. Node.js lets a timer of twice as long fire at once, and waits become up to a tenth longer.
const LONGEST_TIMER_MS = 2 ** 30;
const DEFAULT_CONCURRENT_REQUESTS = 10;
const DEFAULT_GIVE_UP_AFTER_S = 60;
const GIVE_UP_AFTER = 'Give Up After (Seconds)';

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
			description: 'Maximum number of requests to send at the same time',
		},
		{
			displayName: GIVE_UP_AFTER,
			name: 'giveUpAfter',
			type: 'number',
			typeOptions: { minValue: 0 },
			default: DEFAULT_GIVE_UP_AFTER_S,
			description:
				"How many seconds to keep retrying while the service doesn't answer. 0 turns retries off.",
		},
	],
};

/** How the requests of a run are sent. */
export interface RequestSettings extends PacerSettings {
	http: HttpSettings;
}

/**
 * Reads the value of the `requestOptions` parameter, once for each run, with n8n's meaning of its own options:
 * a batch size below 1 counts as 1, and without a timeout requests may take 300 s.
 * @throws InvalidValueError if an option cannot be used
 */
export function readRequestSettings(value: unknown): RequestSettings {
	const options = toObject(value);
	return {
		maxConcurrentRequests: parseWholeNumber(
			options.maxConcurrentRequests ?? DEFAULT_CONCURRENT_REQUESTS,
			'Max Concurrent Requests',
			1,
		),
		giveUpAfterMs: Math.min(
			1000 * parseWholeNumber(options.giveUpAfter ?? DEFAULT_GIVE_UP_AFTER_S, GIVE_UP_AFTER, 0),
			LONGEST_TIMER_MS,
		),
		rateLimiter: createRateLimiter(readBatching(options)),
		http: {
			timeout: parseMilliseconds(options.timeout ?? DEFAULT_TIMEOUT_MS, 'Timeout', 1),
			...(isBlank(options.proxy) ? {} : { proxy: parseProxy(options.proxy) }),
			...(options.allowUnauthorizedCerts === true ? { skipSslCertificateValidation: true } : {}),
		},
	};
}

/** Reads n8n's Batching from the same value; throws InvalidValueError if it cannot be used. */
export function readBatching(options: unknown): Batching {
	const { batchSize = 1, batchInterval = 0 } = toObject(get(options, 'batching.batch'));
	return {
		size: Math.max(1, parseWholeNumber(batchSize, 'Items per Batch', -1)),
		intervalMs: parseMilliseconds(batchInterval, 'Batch Interval (ms)', 0),
	};
}

function parseMilliseconds(value: unknown, parameter: string, lowest: number): number {
	return Math.min(parseWholeNumber(value, parameter, lowest), LONGEST_TIMER_MS);
}

function parseProxy(value: unknown): RequestSettings['http']['proxy'] {
	const text = textOf(value);
	// n8n would send the token past a proxy of any other kind.
	if (!/^https?:/i.test(text) || !URL.canParse(text)) {
		const advice = 'Use http://host:port or http://user:password@host:port.';
		// Not quoted: it may contain a password.
		throw new InvalidValueError('Proxy', 'is not the URL of an HTTP proxy', advice);
	}
	const { protocol, hostname, port, username, password } = new URL(text);
	return {
		host: hostname,
		port: Number(port || (protocol === 'https:' ? 443 : 80)),
		protocol: protocol.replace(':', ''),
		// Encoded, since n8n puts them into a URL again.
		auth: { username, password },
	};
}
