import mapValues from 'lodash/mapValues';

import type { Workflow, WorkflowNode } from '../../test/n8n/workflows';
import {
	answer,
	bodyAsText,
	byId,
	check,
	choose,
	code,
	createTable,
	idOf,
	listClasses,
	manualTrigger,
	rows,
	set,
	sign,
	student,
	wait,
	webhook,
	type Step,
} from './nodes';
import { notesOf } from './notes';
import type { Shop } from './shops';

/** A node with its place on the canvas, in columns and rows, and the nodes on its outputs. */
type Placed = [column: number, row: number, step: Step, ...outputs: string[]];

const COLUMN = 240;
const ROW = 220;

const PAYMENT = "$('Read Notification').first().json";
const NOW = '={{ $now.toUTC().toISO() }}';
const ofPayment: [string, string] = ['paymentId', `={{ ${PAYMENT}.paymentId }}`];
const someFailed = "$('Enroll Buyer').all().some(({ json }) => json.error)";
const noLink = "$('Plan Access').first().json.linkSentAt";
const REFUSED = '/\\(status 4(00|22)\\)/.test($json.error)';

/** The nodes between the address and the fields, which compute the signature. */
function signing({ proof }: Shop): Array<[string, Step]> {
	if ('header' in proof) return [];
	const signature = sign(proof.hmac, proof.encoding, proof.of && `=${proof.of}`);
	return [
		...(proof.of ? [['Body as Text', bodyAsText] as [string, Step]] : []),
		['Compute Signature', signature],
	];
}

function receive(shop: Shop): Record<string, Placed> {
	const { fields, words, proof } = shop;
	const isSigned = 'hmac' in proof;
	const received = webhook(
		isSigned ? { options: { rawBody: true } } : { authentication: 'headerAuth', options: {} },
	);
	const line: Array<[string, Step]> = [
		['Notification Received', received],
		...signing(shop),
		[
			'What the Shop Sends',
			set({
				...mapValues(fields, (field) => `={{ ${field} }}`),
				...(isSigned && { isGenuine: `={{ ${proof.isGenuine} }}` }),
				...words,
			}),
		],
		['Read Notification', code('readNotification')],
		[
			'Answer at Once',
			answer(
				"={{ { result: 'received' } }}",
				"={{ $json.meaning === 'forged' ? 403 : 200 }}",
				shop.isAnsweredAtOnce ? {} : { disabled: true },
			),
		],
	];
	const first = 1 - line.length;
	const entries = line.map(([name, step], index) => {
		const next = line[index + 1]?.[0] ?? 'Paid or Refunded?';
		return [name, [first + index, 0, step, next]] as [string, Placed];
	});
	return Object.fromEntries(entries);
}

const choosePath: Placed = [
	1,
	0,
	choose(
		{
			Paid: "={{ $json.meaning === 'paid' }}",
			Refunded: "={{ $json.meaning === 'refunded' }}",
			Nothing: "={{ $json.meaning === 'nothingToDo' }}",
		},
		'Problem',
	),
	'Look Up Access',
	'Record Refund',
	'Answer: Done',
	'Explain Failure',
];

const enroll: Record<string, Placed> = {
	'Look Up Access': [
		2,
		-1,
		rows('class_access', 'get', [ofPayment, ['email', `={{ ${PAYMENT}.email }}`, 'ilike']], {
			any: true,
			alwaysOutputData: true,
			executeOnce: true,
		}),
		'Get Products',
	],
	'Get Products': [
		3,
		-1,
		rows('class_products', 'get', [], { alwaysOutputData: true, executeOnce: true }),
		'Plan Access',
	],
	'Plan Access': [4, -1, code('planAccess'), 'What Is Left?'],
	'What Is Left?': [
		5,
		-1,
		choose(
			{
				Enroll: "={{ $json.next === 'enroll' }}",
				'Only the Link': "={{ $json.next === 'link' }}",
				'Another Is at Work': "={{ $json.next === 'wait' }}",
				Nothing: "={{ $json.next === 'answer' }}",
			},
			'Problem',
		),
		'Record Access',
		'Send Sign-In Link',
		'Wait for It',
		'Answer: Done',
		'Explain Failure',
	],
	'Wait for It': [5, -2, wait(5), 'Look Up Access'],
	'Record Access': [
		6,
		-1,
		rows(
			'class_access',
			'upsert',
			[ofPayment, ['email', `={{ ${PAYMENT}.email }}`], ['classId', '={{ $json.classId }}']],
			{
				values: {
					email: `={{ ${PAYMENT}.email }}`,
					classId: '={{ $json.classId }}',
					paymentId: `={{ ${PAYMENT}.paymentId }}`,
					expiresAt: '={{ $json.expiresAt }}',
					workingSince: NOW,
					removedAt: '={{ null }}',
				},
			},
		),
		'Enroll Buyer',
	],
	'Enroll Buyer': [
		7,
		-1,
		student(
			'addToClass',
			{
				classId: byId('={{ $json.classId }}'),
				email: '={{ $json.email }}',
				name: `={{ ${PAYMENT}.name }}`,
				accessExpiration: "={{ $json.expiresAt ? 'date' : 'none' }}",
				expirationDate: '={{ $json.expiresAt }}',
			},
			{ onError: 'continueRegularOutput' },
		),
		'Mark Enrolled',
	],
	'Mark Enrolled': [
		8,
		-1,
		rows(
			'class_access',
			'update',
			[
				ofPayment,
				['email', "={{ $('Record Access').item.json.email }}"],
				['classId', "={{ $('Record Access').item.json.classId }}"],
			],
			{
				values: {
					enrolledAt: '={{ $json.error ? null : $now.toUTC().toISO() }}',
					linkSentAt: `={{ $json.error ? null : ${noLink} }}`,
					workingSince: `={{ ${someFailed} || ${noLink} ? null : $now.toUTC().toISO() }}`,
					// Certainly not enrolled: nothing to remove.
					removedAt: `={{ $json.error && /^'(Email|Name|Class)|\\(status 4(00|04|22)\\)/.test($json.error) ? $now.toUTC().toISO() : null }}`,
				},
			},
		),
		'All Enrolled?',
	],
	'All Enrolled?': [
		9,
		-1,
		choose(
			{ 'Send Link': `={{ !${someFailed} && !${noLink} }}`, 'No Link': `={{ !${someFailed} }}` },
			'Failed',
			{ executeOnce: true },
		),
		'Send Sign-In Link',
		'Answer: Done',
		'Explain Failure',
	],
	'Send Sign-In Link': [
		10,
		-1,
		student(
			'sendMagicLink',
			{ email: `={{ ${PAYMENT}.email }}`, redirectUrl: '' },
			{ executeOnce: true, onError: 'continueRegularOutput' },
		),
		'Mark Link Sent',
	],
	'Mark Link Sent': [
		11,
		-1,
		rows('class_access', 'update', [ofPayment], {
			values: {
				linkSentAt: '={{ $json.error ? null : $now.toUTC().toISO() }}',
				workingSince: '={{ null }}',
			},
		}),
		'Link Sent?',
	],
	'Link Sent?': [
		12,
		-1,
		check("={{ !$('Send Sign-In Link').first().json.error }}", { executeOnce: true }),
		'Answer: Done',
		'Explain Failure',
	],
};

const remove: Record<string, Placed> = {
	'Record Refund': [
		2,
		0,
		rows('class_access', 'upsert', [ofPayment], {
			values: { paymentId: `={{ ${PAYMENT}.paymentId }}`, endedAt: NOW },
		}),
		'No Other Access',
	],
	'No Other Access': [
		3,
		0,
		rows(
			'class_access',
			'rowNotExists',
			[
				['email', "={{ $json.email ?? '' }}", 'ilike'],
				['classId', '={{ $json.classId }}'],
				['endedAt', '={{ null }}'],
				['removedAt', '={{ null }}'],
			],
			{ alwaysOutputData: true },
		),
		'Anything to Remove?',
	],
	'Anything to Remove?': [
		4,
		0,
		check('={{ Boolean($json.classId && !$json.removedAt) }}'),
		'Remove From Class',
		'Answer: Done',
	],
	'Remove From Class': [
		5,
		0,
		student(
			'removeFromClass',
			{ classId: byId('={{ $json.classId }}'), email: '={{ $json.email }}' },
			{ retryOnFail: true, onError: 'continueRegularOutput' },
		),
		'Mark as Removed',
	],
	'Mark as Removed': [
		6,
		0,
		rows(
			'class_access',
			'update',
			[
				ofPayment,
				['email', "={{ $('Anything to Remove?').item.json.email }}"],
				['classId', "={{ $('Anything to Remove?').item.json.classId }}"],
			],
			{ values: { removedAt: `={{ $json.error && !${REFUSED} ? null : $now.toUTC().toISO() }}` } },
		),
		'All Removed?',
	],
	'All Removed?': [
		7,
		0,
		check("={{ $('Remove From Class').all().every(({ json }) => !json.error) }}", {
			executeOnce: true,
		}),
		'Answer: Done',
		'Explain Failure',
	],
};

const finish: Record<string, Placed> = {
	'Answer: Done': [
		13,
		0,
		answer(
			"={{ { result: $json.result ?? { 'Anything to Remove?': 'refunded', 'All Removed?': 'refunded' }[$prevNode.name] ?? 'enrolled', reason: $json.reason } }}",
			200,
		),
	],
	'Explain Failure': [12, 1, code('explainFailure'), 'Answer: Failed'],
	'Answer: Failed': [
		13,
		1,
		answer("={{ { result: 'failed', reason: $json.reason } }}", '={{ $json.answerStatus }}'),
		'Show as Failed',
	],
	'Show as Failed': [14, 1, code('showAsFailed')],
};

const setUp: Record<string, Placed> = {
	'Set Up Once': [0, 4, manualTrigger, 'Create Access Table'],
	'Create Access Table': [
		1,
		4,
		createTable('class_access', {
			email: 'string',
			classId: 'string',
			paymentId: 'string',
			expiresAt: 'date',
			enrolledAt: 'date',
			linkSentAt: 'date',
			removedAt: 'date',
			endedAt: 'date',
			workingSince: 'date',
		}),
		'Create Product Table',
	],
	'Create Product Table': [
		2,
		4,
		createTable('class_products', { product: 'string', classId: 'string', months: 'number' }),
		'List Classes',
	],
	'List Classes': [3, 4, listClasses],
};

/** The recipe for a shop: from its notifications to enrolled and removed students. */
export function recipeFor(shop: Shop): Workflow {
	const received = receive(shop);
	const afterReceived = Object.keys(received)[1]!;
	const placed: Record<string, Placed> = {
		...received,
		'Paid or Refunded?': choosePath,
		...enroll,
		...remove,
		...finish,
		...setUp,
	};
	placed['Show as Failed'] = [...placed['Show as Failed']!, afterReceived] as Placed;
	const steps: WorkflowNode[] = Object.entries(placed).map(([name, [column, row, step]]) => ({
		...step,
		name,
		position: [column * COLUMN, row * ROW],
	}));
	const connections = Object.entries(placed)
		.filter(([, [, , , ...outputs]]) => outputs.length > 0)
		.map(([name, [, , , ...outputs]]) => [
			name,
			{ main: outputs.map((node) => [{ node, type: 'main', index: 0 }]) },
		]);
	const left = Math.min(...steps.map(({ position: [x] }) => x)) - 40;
	const notes = notesOf(shop, left).map(([name, position, step]) => ({ ...step, name, position }));
	const nodes = [...notes, ...steps].map(({ name, ...node }) => ({
		id: idOf(name),
		name,
		...node,
	}));
	return {
		name: shop.name === 'another shop' ? 'Shop to class' : `${shop.name} to class`,
		nodes,
		connections: Object.fromEntries(connections) as object,
		settings: { executionOrder: 'v1' },
	};
}
