import mapValues from 'lodash/mapValues';

import type { Workflow } from '../../test/n8n/workflows';
import { CLASS_ACCESS, CLASS_ACCESS_ID, SALE } from './classAccess';
import { code, fields, idOf, ifTrue, inputs, step, workflow, type Step } from './nodes';
import { notesOf } from './stickyNotes';
import type { Shop } from './shops';

const RECEIVED = 'Notification Received';
const SENDS = 'What the Shop Sends';
/** So wide that n8n shows the names under the nodes, and the notes large enough to read. */
const [MIN_DISTANCE, MIN_WIDTH] = [200, 1300];
const TYPES: Record<string, string> = {
	isGenuine: 'boolean',
	products: 'array',
	defaults: 'object',
};
const GO_ON = { onError: 'continueRegularOutput' };

/** The nodes that compute what proves a notification, or none. */
function proving({ proof }: Shop): Record<string, Step> {
	const hmac = (version: number, dataPropertyName: string, parameters: object) =>
		step(
			'crypto',
			version,
			{ action: 'hmac', type: 'SHA256', encoding: 'hex', ...parameters, dataPropertyName },
			GO_ON,
		);
	if ('token' in proof) {
		// Of the same text, both are equal only if the token is the credential's secret.
		const secret = `={{ ${proof.token} || 'none' }}`;
		return {
			'Compute Signature': hmac(2, 'signature', { value: 'token' }),
			'Sign With Token': hmac(1, 'ofToken', { value: 'token', secret }),
		};
	}
	if (!('hmac' in proof)) return {};
	const { hmac: type, encoding, of, part } = proof;
	const signed = of ? { value: `=${of}` } : { binaryData: true };
	const options = { encoding: 'utf8', keepSource: 'json' };
	const text = step(
		'extractFromFile',
		1,
		{ operation: 'text', destinationKey: 'text', options },
		GO_ON,
	);
	const value = `={{ JSON.stringify(${part} ?? '') }}`;
	return {
		...(of && { 'Body as Text': text }),
		'Compute Signature': hmac(2, 'signature', { ...signed, type, encoding }),
		...(part && { 'Sign Part': hmac(2, 'ofPart', { value, type, encoding }) }),
	};
}

/** Whether a notification is from the shop. What is read of a signed one must be what is signed: its JSON. */
function isGenuine({ proof }: Shop): Record<string, string> {
	if ('token' in proof)
		return {
			isGenuine: `typeof ${proof.token} === 'string' && Boolean(${proof.token} && $json.signature) && $json.signature === $json.ofToken`,
		};
	if (!('hmac' in proof)) return {};
	const compared = proof.isGenuine ?? `$json.headers['${proof.inHeader}'] === $json.signature`;
	const isSigned = `/^application\\/json\\s*(;|$)/i.test($json.headers['content-type']) && Boolean($json.signature) && ${compared}`;
	return { isGenuine: proof.unsigned ? `Boolean(${proof.unsigned}) || (${isSigned})` : isSigned };
}

/** When access ends: at the next charge of a subscription, plus some days of grace. */
function until({ nextCharge }: Shop): Record<string, string> {
	if (!nextCharge) return {};
	const { date, graceDays } = nextCharge;
	return { until: `${date} ? new Date(${date}).getTime() + ${graceDays} * 864e5 : ''` };
}

/** The fields of a notification, and what its words mean. */
function sends(shop: Shop): Step {
	const all = {
		...mapValues(
			{ ...shop.fields, ...until(shop), ...isGenuine(shop) },
			(field) => field && `={{ ${field} }}`,
		),
		...shop.words,
		...(shop.productCode && { productCode: shop.productCode }),
		// By which Did It Fail? tells a Retry.
		executionId: '={{ $execution.id }}',
	};
	return step('set', 3.4, {
		assignments: {
			assignments: Object.entries(all).map(([name, value]) => ({
				id: idOf(name),
				name,
				type: TYPES[name] ?? 'string',
				value,
			})),
		},
		// Of products, only a list becomes one.
		options: { ignoreConversionErrors: true },
	});
}

/** The recipe for a shop: from its notifications to sales, which Class access carries through. */
export function recipeFor(shop: Shop): Workflow {
	const received = step('webhook', 2.1, {
		httpMethod: 'POST',
		// n8n makes up a random one when the file is imported, because the node has no ID for it either.
		path: '',
		...('header' in shop.proof && { authentication: 'headerAuth' }),
		// A shop that is answered last gets 500 if the execution fails.
		...(!shop.isAnsweredAtOnce && { responseMode: 'lastNode', responseData: 'noData' }),
		options: 'hmac' in shop.proof ? { rawBody: true } : {},
	});
	const workflowId = {
		__rl: true,
		mode: 'list',
		value: CLASS_ACCESS_ID,
		// As n8n's editor writes it, so that looking at the node changes nothing.
		cachedResultUrl: `/workflow/${CLASS_ACCESS_ID}`,
		cachedResultName: `${CLASS_ACCESS} 1.0`,
	};
	const workflowInputs = inputs({ ...fields(SALE), returnFailure: ['boolean', true] });
	const access = step('executeWorkflow', 1.3, { workflowId, workflowInputs, options: {} }, GO_ON);
	const before = { [RECEIVED]: received, ...proving(shop), [SENDS]: sends(shop) };
	const line: Record<string, Step> = {
		...before,
		'Read Notification': { ...code('readNotification'), ...GO_ON },
		// Not by the status: n8n passes a notification on unread, if no task runner is free for the code that reads it.
		'A Sale?': ifTrue('$json.isSale === true'),
		[CLASS_ACCESS]: access,
		'Did It Fail?': code('didItFail'),
	};
	const names = Object.keys(line);
	const distance = Math.max(MIN_DISTANCE, MIN_WIDTH / (names.length - 1));
	const steps = Object.entries(line).map(
		([name, node], index) =>
			[name, [Math.round(index * distance), name === CLASS_ACCESS ? -120 : 0, node]] as const,
	);
	return workflow(
		shop.isAnother ? 'Shop to class' : `${shop.name} to class`,
		{ ...notesOf(shop), ...(Object.fromEntries(steps) as Record<string, [number, number, Step]>) },
		[names.join(' > '), 'A Sale?#1 > Did It Fail?', `Did It Fail? > ${names[1]!}`],
	);
}
