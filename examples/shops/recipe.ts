import mapValues from 'lodash/mapValues';
import memoize from 'lodash/memoize';

import type { Workflow } from '../../test/n8n/workflows';
import { compile } from '../codeNodes/compile';
import { SALE, type NewSale } from '../classAccess/types';
import { CLASS_ACCESS, CLASS_ACCESS_ID } from '../classAccess/workflow';
import {
	compiled,
	fields,
	idOf,
	inputs,
	insertRow,
	step,
	workflow,
	type Step,
} from '../canvas/nodes';
import { NO_SALE, NOTHING_TO_DO } from './notification';
import { checkOf } from './proof';
import { notesOf } from './stickyNotes';
import type { Shop } from './shop';

const RECEIVED = 'Notification Received';
const SENDS = 'What the Shop Sends';
const READ = 'Read Notification';
const RECORD = 'Record Sale';
const ANSWER = 'Answer the Shop';
const FAILED = 'Did It Fail?';
/** From one node to the next, so that their names don't touch. */
const DISTANCE = 180;
const TYPES: Record<string, string> = {
	isGenuine: 'boolean',
	isPing: 'boolean',
	isTest: 'boolean',
	products: 'array',
	defaults: 'object',
	graceDays: 'number',
};
/** The type of a field in n8n. What the owner fills in is a text, as another shop may send anything there, but products stay a list. */
const typeOf = (name: string, value: unknown): string =>
	value === '' && name !== 'products' ? 'string' : (TYPES[name] ?? 'string');
const GO_ON = { onError: 'continueRegularOutput' };
const TELL_ERROR = { onError: 'continueErrorOutput' };
/** What a shop's workflow writes. */
const NEW_SALE: Record<keyof Omit<NewSale, 'classId' | 'months'>, string> = {
	paymentId: 'string',
	kind: 'string',
	email: 'string',
	name: 'string',
	products: 'string',
	until: 'string',
	paidAt: 'string',
	isSubscription: 'boolean',
};
/** Shops share it. */
const didItFail = memoize(() => compiled(compile('shops/didItFail.n8n')));

/** The code that reads a notification, by the rules of its shop if it has any. */
function readBy(rules?: string) {
	if (!rules) return compiled(compile('shops/readNotification.n8n'));
	const contents = `
		import { outputOf } from './shops/readInNode';
		import { rulesOf } from './${rules}';
		export const output = outputOf(rulesOf);
	`;
	return compiled(compile(rules, contents));
}

/** The fields of a notification, what is compared to prove it, and what its words mean. */
function sends(shop: Shop, compared: Record<string, string>): Step {
	const all = {
		...mapValues({ ...shop.fields, ...compared }, (field) => field && `={{ ${field} }}`),
		...shop.words,
		...shop.settings,
		// By which Did It Fail? tells a Retry.
		executionId: '={{ $execution.id }}',
	};
	return step('set', 3.4, {
		assignments: {
			assignments: Object.entries(all).map(([name, value]) => ({
				id: idOf(name),
				name,
				type: typeOf(name, value),
				value,
			})),
		},
		// Of products, only a list becomes one.
		options: { ignoreConversionErrors: true },
	});
}

/** The nodes of a section, side by side, at a height. */
const sideBySide = (
	steps: Record<string, Step>,
	left: number,
	top: number,
): Record<string, [number, number, Step]> =>
	Object.fromEntries(
		Object.entries(steps).map(([name, node], index) => [
			name,
			[left + index * DISTANCE, top, node],
		]),
	);

/** The call of Class access with the row of the sale. It returns a failure, which the execution of the shop shows. */
function carryOut(): Step {
	const workflowId = {
		__rl: true,
		mode: 'list',
		value: CLASS_ACCESS_ID,
		// As n8n's editor writes it, so that looking at the node changes nothing.
		cachedResultUrl: `/workflow/${CLASS_ACCESS_ID}`,
		cachedResultName: `${CLASS_ACCESS} 1.0`,
	};
	const workflowInputs = inputs({ ...fields(SALE), returnFailure: ['boolean', true] });
	return step('executeWorkflow', 1.3, { workflowId, workflowInputs, options: {} }, GO_ON);
}

/** The workflow of a shop: its notifications become sales, which are recorded before Class access carries them out. */
export function recipeFor(shop: Shop): Workflow {
	const { authentication, rawBody, nodes, fields: compared } = checkOf(shop.proof);
	const received = step('webhook', 2.1, {
		httpMethod: 'POST',
		// n8n makes up a random one when the file is imported, because the node has no ID for it either.
		path: '',
		...(authentication && { authentication }),
		// A shop that is answered last gets 500 if the execution fails.
		...(shop.isAnsweredAtOnce
			? { responseMode: 'responseNode' }
			: { responseMode: 'lastNode', responseData: 'noData' }),
		options: rawBody ? { rawBody } : {},
	});
	const reading: Record<string, Step> = {
		[RECEIVED]: received,
		...nodes,
		[SENDS]: sends(shop, compared),
		[READ]: { ...readBy(shop.rules), ...TELL_ERROR },
	};
	const record = insertRow('class_sales', fields(NEW_SALE));
	const retries = { retryOnFail: true, maxTries: 3, waitBetweenTries: 500 };
	// What was read and failed is answered like a sale: the shop can't mend it. If n8n itself failed, the shop shall send it again.
	const responseCode = `={{ $json.id || /^(${NOTHING_TO_DO}|${NO_SALE})/.test($json.error) ? 200 : 503 }}`;
	const answer = step('respondToWebhook', 1.4, {
		respondWith: 'noData',
		options: { responseCode },
	});
	const names = Object.keys(reading);
	const left = names.length * DISTANCE;
	const steps: Record<string, [number, number, Step]> = {
		...sideBySide(reading, 0, 0),
		...sideBySide({ [RECORD]: { ...record, ...retries, ...TELL_ERROR } }, left, 0),
		// Above Class access, so that n8n carries it out first.
		...(shop.isAnsweredAtOnce && { [ANSWER]: [left + DISTANCE, -150, answer] }),
		[CLASS_ACCESS]: [left + DISTANCE, shop.isAnsweredAtOnce ? 20 : 0, carryOut()],
		// Below, where the lines of errors go.
		[FAILED]: [left + 2 * DISTANCE, 120, didItFail()],
	};
	const answers = shop.isAnsweredAtOnce
		? [`${RECORD} > ${ANSWER}`, `${RECORD}#1 > ${ANSWER}`, `${READ}#1 > ${ANSWER}`]
		: [];
	return workflow(
		shop.isAnother ? 'Shop to class' : `${shop.name} to class`,
		{ ...notesOf(shop, left, left + 3 * DISTANCE), ...steps },
		[
			`${names.join(' > ')} > ${RECORD}`,
			...answers,
			`${RECORD} > ${CLASS_ACCESS} > ${FAILED}`,
			`${RECORD}#1 > ${FAILED}`,
			`${READ}#1 > ${FAILED}`,
			`${FAILED} > ${names[1]!}`,
		],
	);
}
