import mapValues from 'lodash/mapValues';

import type { Workflow } from '../../test/n8n/workflows';
import { CLASS_ACCESS } from './classAccess';
import { code, idOf, ifTrue, step, workflow, type Step } from './nodes';
import { notesOf } from './stickyNotes';
import type { Shop } from './shops';

const RECEIVED = 'Notification Received';
const SENDS = 'What the Shop Sends';
const DISTANCE = 200;

/** The nodes that compute the signature, or none. */
function signing({ proof }: Shop): Record<string, Step> {
	if ('header' in proof) return {};
	const { hmac: type, encoding, of } = proof;
	const signed = of ? { value: `=${of}` } : { binaryData: true };
	const options = { encoding: 'utf8', keepSource: 'json' };
	const text = step('extractFromFile', 1, { operation: 'text', destinationKey: 'text', options });
	const names = { action: 'hmac', dataPropertyName: 'signature' };
	const signature = step('crypto', 2, { ...names, ...signed, type, encoding });
	return { ...(of && { 'Body as Text': text }), 'Compute Signature': signature };
}

/** The fields of a notification, and what its words mean. */
function sends({ fields, words, proof }: Shop): Step {
	const read = { ...fields, ...('hmac' in proof && { isGenuine: proof.isGenuine }) };
	const all = { ...mapValues(read, (field) => `={{ ${field} }}`), ...words };
	return step('set', 3.4, {
		assignments: {
			assignments: Object.entries(all).map(([name, value]) => ({
				id: idOf(name),
				name,
				type: name === 'isGenuine' ? 'boolean' : 'string',
				value,
			})),
		},
		options: {},
	});
}

/** The recipe for a shop: from its notifications to sales, which Class access carries through. */
export function recipeFor(shop: Shop): Workflow {
	const isSigned = 'hmac' in shop.proof;
	const received = step('webhook', 2.1, {
		httpMethod: 'POST',
		// n8n makes up a random one when the file is imported, because the node has no ID for it either.
		path: '',
		...(!isSigned && { authentication: 'headerAuth' }),
		responseMode: 'responseNode',
		options: isSigned ? { rawBody: true } : {},
	});
	const answer = step('respondToWebhook', 1.4, {
		respondWith: 'json',
		responseBody: shop.isAnsweredAtOnce
			? "={{ { result: 'received' } }}"
			: '={{ { result: $json.result, reason: $json.reason } }}',
		options: {
			responseCode: shop.isAnsweredAtOnce
				? '={{ $json.code === 403 ? 403 : 200 }}'
				: '={{ $json.code }}',
		},
	});
	const access = step('executeWorkflow', 1.3, {
		workflowId: { __rl: true, mode: 'list', value: '', cachedResultName: '' },
		options: {},
	});
	const before = { [RECEIVED]: received, ...signing(shop), [SENDS]: sends(shop) };
	const line: Record<string, Step> = {
		...before,
		'Read Notification': code('readNotification'),
		...(shop.isAnsweredAtOnce && { 'Answer at Once': answer }),
		'A Sale?': ifTrue("['paid', 'refunded'].includes($json.status)"),
		[CLASS_ACCESS]: access,
		...(!shop.isAnsweredAtOnce && { Answer: answer }),
		'Show as Failed': code('showAsFailed'),
	};
	const names = Object.keys(line);
	const after = names[names.indexOf(CLASS_ACCESS) + 1]!;
	const steps = Object.entries(line).map(
		([name, node], index) =>
			[name, [index * DISTANCE, name === CLASS_ACCESS ? -120 : 0, node]] as const,
	);
	return workflow(
		shop.isAnother ? 'Shop to class' : `${shop.name} to class`,
		{ ...notesOf(shop), ...(Object.fromEntries(steps) as Record<string, [number, number, Step]>) },
		[names.join(' > '), `A Sale?#1 > ${after}`, `Show as Failed > ${names[1]!}`],
	);
}
