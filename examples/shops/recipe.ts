import mapValues from 'lodash/mapValues';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import type { Workflow, WorkflowNode } from '../../test/n8n/workflows';
import { notesOf } from './notes';
import type { Shop } from './shops';

type Step = Pick<WorkflowNode, 'type' | 'typeVersion' | 'parameters'>;

/** The recipe that all others are made from. What a shop needs of its own replaces what is in it. */
const RECIPE = join(__dirname, '../shop-other.json');
const RECEIVED = 'Notification Received';
const SENDS = 'What the Shop Sends';
const DISTANCE = 240;

/** The nodes that run one of the files here. */
const CODE: Record<string, string> = {
	'Read Notification': 'readNotification',
	'Plan Access': 'planAccess',
	'No Other Access': 'noOtherAccess',
	'Explain Failure': 'explainFailure',
};

const step = (type: string, typeVersion: number, parameters: object): Step => ({
	type: `n8n-nodes-base.${type}`,
	typeVersion,
	parameters,
});

/** The nodes that compute the signature, or none. */
function signing({ proof }: Shop): Array<[name: string, step: Step]> {
	if ('header' in proof) return [];
	const { hmac: type, encoding, of } = proof;
	const signed = of ? { value: `=${of}` } : { binaryData: true };
	const options = { encoding: 'utf8', keepSource: 'json' };
	const text = step('extractFromFile', 1, { operation: 'text', destinationKey: 'text', options });
	const names = { action: 'hmac', dataPropertyName: 'signature' };
	const signature = step('crypto', 2, { ...names, ...signed, type, encoding });
	return [
		...(of ? [['Body as Text', text] as [string, Step]] : []),
		['Compute Signature', signature],
	];
}

/** The parameters that are a shop's own, by node. */
function parametersOf({ fields, words, proof }: Shop): Record<string, object> {
	const isSigned = 'hmac' in proof;
	const read = { ...fields, ...(isSigned && { isGenuine: proof.isGenuine }) };
	const assignments = Object.entries({
		...mapValues(read, (field) => `={{ ${field} }}`),
		...words,
	});
	return {
		[RECEIVED]: {
			httpMethod: 'POST',
			// n8n makes up a random one when the file is imported, because the node has no ID for it either.
			path: '',
			...(!isSigned && { authentication: 'headerAuth' }),
			responseMode: 'responseNode',
			options: isSigned ? { rawBody: true } : {},
		},
		[SENDS]: {
			assignments: {
				assignments: assignments.map(([name, value]) => ({
					id: idOf(name),
					name,
					type: name === 'isGenuine' ? 'boolean' : 'string',
					value,
				})),
			},
			options: {},
		},
		...mapValues(CODE, (file) => ({
			jsCode: readFileSync(join(__dirname, `${file}.cjs`), 'utf8').trimEnd(),
		})),
	};
}

/** The recipe for a shop: from its notifications to enrolled and removed students. */
export function recipeFor(shop: Shop): Workflow {
	const recipe = JSON.parse(readFileSync(RECIPE, 'utf8')) as Workflow;
	const steps = recipe.nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
	const [x, y] = steps.find(({ name }) => name === SENDS)!.position;
	const inserted = signing(shop);
	const left = x - DISTANCE * (inserted.length + 1);
	const parameters = parametersOf(shop);
	const nodes: WorkflowNode[] = [
		...notesOf(shop, left - 40).map(([name, position, size]) => ({
			...step('stickyNote', 1, size),
			name,
			position,
		})),
		...inserted.map(([name, node], index): WorkflowNode => {
			return { ...node, name, position: [left + DISTANCE * (index + 1), y] };
		}),
		...steps.map((node): WorkflowNode => ({
			...node,
			disabled: (node.name === 'Answer at Once' && !shop.isAnsweredAtOnce) || undefined,
			...(node.name === RECEIVED && { position: [left, y] }),
			parameters: parameters[node.name] ?? node.parameters,
		})),
	];
	return {
		...recipe,
		name: shop.isAnother ? 'Shop to class' : `${shop.name} to class`,
		nodes: nodes.map((node) => ({ id: idOf(node.name), ...node })),
		connections: connect(
			recipe.connections,
			inserted.map(([name]) => name),
		),
	};
}

/** Puts nodes between the notification and its fields. */
function connect(connections: object, inserted: string[]): object {
	const to = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
	const line = [RECEIVED, ...inserted, SENDS];
	const links = line.slice(1).map((name, index) => [line[index]!, to(name)] as const);
	return { ...connections, ...Object.fromEntries(links), 'Show as Failed': to(line[1]!) };
}

/** An ID that is always the same for the same text. */
function idOf(text: string): string {
	const hex = createHash('sha256').update(text).digest('hex');
	return hex.slice(0, 32).replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, '$1-$2-$3-$4-$5');
}
