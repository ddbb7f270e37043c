import { createHmac } from 'node:crypto';
import { runInNewContext } from 'node:vm';
import { DateTime } from 'luxon';
import { Workflow, type INodeTypes } from 'n8n-workflow';

import { SECRET, type Sent } from './notifications';
import type { Workflow as Example, WorkflowNode } from '../n8n/workflows';

type Json = Record<string, unknown>;

const RECEIVED = 'Notification Received';
const READ = 'Read Notification';
const nodeTypes = { getByNameAndVersion: () => undefined } as unknown as INodeTypes;
const AT = { id: '1', name: READ, type: '', typeVersion: 1, position: [0, 0] as [number, number] };
const nodes = [{ ...AT, parameters: {} }];
const n8n = new Workflow({ nodes, connections: {}, active: false, nodeTypes });
const steps: Record<string, (node: WorkflowNode, json: Json, request: Sent) => Json> = {
	crypto: computeHmac,
	extractFromFile: (_node, json, { text }) => ({ ...json, text }),
	set: editFields,
};

/** The fields of a notification, as a shop's example hands them to the node that reads them. */
export function fieldsOf(example: Example, request: Sent): Json {
	const { headers, query, body } = request;
	let json: Json = { headers, query, body };
	for (const node of example.nodes) {
		if (node.name === READ) return json;
		const step = steps[node.type.split('.')[1]!];
		if (step) json = step(node, json, request);
	}
	throw new Error(`${example.name} has no ${READ}`);
}

/** What a shop's example makes of a notification: the sale for Class access, or the answer. */
export function read(example: Example, request: Sent): Json {
	return runCode(nodeOf(example, READ), fieldsOf(example, request), { ...request });
}

/** Whether a shop's example hands an item to Class access. */
export function isSale(example: Example, json: Json): boolean {
	const { conditions } = nodeOf(example, 'A Sale?').parameters as {
		conditions: { conditions: Array<{ leftValue: string }> };
	};
	return conditions.conditions.every(({ leftValue }) => evaluate(leftValue, json) === true);
}

const nodeOf = (example: Example, name: string) =>
	example.nodes.find((node) => node.name === name)!;

function evaluate(value: unknown, json: Json): unknown {
	if (typeof value !== 'string' || !value.startsWith('=')) return value;
	return n8n.expression.resolveSimpleParameterValue(
		value,
		{},
		null,
		0,
		0,
		READ,
		[{ json } as never],
		'webhook',
		{ $execution: { id: '7', mode: 'production', resumeUrl: '', resumeFormUrl: '' } },
	);
}

function computeHmac(node: WorkflowNode, json: Json, { text }: Sent): Json {
	const parameters = node.parameters as Record<string, string>;
	const given = (name: string) => evaluate(parameters[name], json);
	// Version 2 takes the secret from its credential, version 1 from a parameter.
	const secret = node.typeVersion === 2 ? SECRET : (given('secret') as string);
	const value = given('binaryData') ? text : String(given('value'));
	const encoding = parameters.encoding as 'hex' | 'base64';
	try {
		const hmac = createHmac(parameters.type!, secret).update(value).digest(encoding);
		return { ...json, [parameters.dataPropertyName!]: hmac };
	} catch (error) {
		// As n8n does where a node goes on after an error.
		return { error: (error as Error).message };
	}
}

function editFields({ parameters }: WorkflowNode, json: Json): Json {
	const { assignments } = parameters as {
		assignments: { assignments: Array<{ name: string; type: string; value: string }> };
	};
	const toText = (value: unknown) =>
		typeof value === 'object' ? JSON.stringify(value) : `${value}`;
	return Object.fromEntries(
		assignments.assignments.map(({ name, type, value }) => {
			const result = evaluate(value, json) ?? null;
			return [name, type === 'string' && result !== null ? toText(result) : result];
		}),
	);
}

function runCode({ parameters }: WorkflowNode, json: Json, received: Json): Json {
	const { jsCode } = parameters as { jsCode: string };
	const item = (content: Json) => ({ first: () => ({ json: content }) });
	return runInNewContext(`(() => {${jsCode}\n})()`, {
		$input: item(json),
		$: (name: string) => item(name === RECEIVED ? received : json),
		DateTime,
	}) as Json;
}
