import partition from 'lodash/partition';
import range from 'lodash/range';
import { createHmac } from 'node:crypto';

import { SECRET } from '../shops/notifications';
import type { Condition } from '../classAccess/tables';
import type { WorkflowNode } from '../n8n/workflows';
import type { Execution, Item } from './execution';

/** Parameters of the kinds of nodes that are known here. */
interface Parameters {
	numberOutputs: number;
	output: number;
	/** In place of an expression: the first one that is true. */
	rules?: { values: Array<{ conditions: { conditions: Array<{ leftValue: unknown }> } }> };
	operation: string;
	matchType: string;
	limit?: number | string;
	amount?: number;
	orderByColumn?: string;
	dataTableId: { value: string };
	filters: { conditions: Condition[] };
	columns?: { mappingMode: string; value: object };
	email: string;
	classId?: { value: string };
	expirationDate?: string;
	assignments: { assignments: Array<{ name: string; type: string; value: unknown }> };
	type: string;
	encoding: 'hex' | 'base64';
	binaryData?: boolean;
	value?: unknown;
	secret?: string;
	dataPropertyName: string;
}

type Steps = Generator<string, Item[]>;
/** What it outputs for an item. It may pause. */
type Kind = (
	given: Parameters,
	item: Item,
	execution: Execution,
	node: WorkflowNode,
) => Steps | Item[];

const KINDS: Record<string, Kind> = {
	...{ dataTable, classEnrollment, set, crypto, extractFromFile, wait },
};
const PASS_ON = /trigger$|^webhook$|^respondToWebhook$/i;

/** What a node outputs. It pauses after each item. */
export function* carryOut(
	execution: Execution,
	node: WorkflowNode,
	input: Item[],
): Generator<string, Item[][]> {
	const type = node.type.split('.').at(-1)!;
	if (PASS_ON.test(type)) return [input];
	if (type === 'executeWorkflow') return [[]];
	if (type === 'code') return runCode(execution, node, input);
	if (type === 'switch') return distribute(execution, node, input);
	const kind = KINDS[type];
	if (!kind) throw new Error(`Nodes of the type ${type} are not known here.`);
	const output: Item[] = [];
	for (const item of node.executeOnce ? input.slice(0, 1) : input) {
		const given = execution.resolve(node.parameters, item) as Parameters;
		const result = kind(given, item, execution, node);
		output.push(...(Array.isArray(result) ? result : yield* result));
		yield `${node.name}, item ${output.length}`;
	}
	return [output];
}

/** What a Code node outputs. With an error output, what has nothing but an error goes there, and all if it fails. */
function runCode(execution: Execution, node: WorkflowNode, input: Item[]): Item[][] {
	if (node.onError !== 'continueErrorOutput') return [execution.runCode(node, input)];
	try {
		const output = execution.runCode(node, input);
		const isError = ({ json }: Item) => Boolean(json.error) && Object.keys(json).length === 1;
		const [failed, items] = partition(output, isError);
		return [items, failed.map(({ json }) => ({ json: { ...input[0]?.json, ...json } }))];
	} catch (error) {
		return [[], input.map(({ json }) => ({ json: { ...json, error: (error as Error).message } }))];
	}
}

/** The items by the output that an expression or a rule names. An item that meets no rule goes nowhere. */
function distribute(execution: Execution, { parameters }: WorkflowNode, input: Item[]): Item[][] {
	const { rules, numberOutputs } = parameters as Parameters;
	const outputs: Item[][] = range(rules?.values.length ?? numberOutputs).map(() => []);
	for (const item of input) {
		const given = execution.resolve(parameters, item) as Parameters;
		const output = given.rules?.values.findIndex(isMet) ?? given.output;
		if (output === -1) continue;
		if (!outputs[output]) throw new Error(`There is no output ${output}.`);
		outputs[output].push(item);
	}
	return outputs;
}

type Rule = NonNullable<Parameters['rules']>['values'][number];
const isMet = ({ conditions }: Rule) =>
	conditions.conditions.every(({ leftValue }) => leftValue === true);

function* dataTable(given: Parameters, { json }: Item, { world }: Execution): Steps {
	if (given.operation === 'create') return [{ json: {} }];
	const table = world.tables[given.dataTableId.value]!;
	if (given.operation === 'insert')
		return [{ json: { ...table.insert(given.columns!.value, world.now) } }];
	const { filters, matchType, limit, orderByColumn } = given;
	const most = limit === undefined ? undefined : Number(limit);
	const found = table.find(filters.conditions, matchType, most, orderByColumn);
	const { mappingMode = '', value = {} } = given.columns ?? {};
	const values = mappingMode === 'autoMapInputData' ? json : value;
	if (given.operation !== 'get') found.forEach((row) => table.write(row, values));
	if (given.operation === 'upsert' && found.length === 0) {
		// In PostgreSQL, others may come in between.
		yield 'upsert';
		found.push(table.insert(values, world.now));
	}
	return found.map((row) => ({ json: { ...row } }));
}

/** The story goes on meanwhile. */
function* wait({ amount = 1 }: Parameters, item: Item, { world }: Execution): Steps {
	const until = world.now + amount * 1000;
	while (world.now < until) yield 'wait';
	return [item];
}

function* classEnrollment(
	given: Parameters,
	_: Item,
	{ world }: Execution,
	node: WorkflowNode,
): Steps {
	const { operation, email, classId, expirationDate } = given;
	const { service } = world;
	const listed = service.listed ?? service.classes;
	if (operation === 'getAll') return listed.map((id) => ({ json: { id, name: id } }));
	const answered = world.now + service.latency();
	while (world.now < answered) {
		world.now += 1000;
		yield 'request';
	}
	const failure = service.request(operation, email, classId?.value, expirationDate);
	if (failure && node.onError !== 'continueRegularOutput') throw new Error(failure.error);
	const success = operation === 'removeFromClass' ? { deleted: true } : { success: true };
	return [{ json: failure ? { ...failure } : { ...success, email } }];
}

function set({ assignments }: Parameters): Item[] {
	const fields = assignments.assignments.map(({ name, type, value = null }) => {
		if (type === 'array' && typeof value === 'string') return [name, listOrText(value)] as const;
		const text = typeof value === 'object' ? JSON.stringify(value) : String(value);
		return [name, type === 'string' && value !== null ? text : value] as const;
	});
	return [{ json: Object.fromEntries(fields) }];
}

/** As n8n does with what becomes an array, if errors are ignored. */
function listOrText(value: string): unknown {
	try {
		const parsed = JSON.parse(value) as unknown;
		return Array.isArray(parsed) ? parsed : value;
	} catch {
		return value;
	}
}

function extractFromFile(_: Parameters, { json, raw }: Item): Item[] {
	return [{ json: { ...json, text: raw }, raw }];
}

/** Version 2 takes the secret from its credential, version 1 from a parameter. */
function crypto(given: Parameters, { json, raw }: Item, _: Execution, node: WorkflowNode): Item[] {
	const value = given.binaryData ? raw! : String(given.value);
	try {
		const hmac = createHmac(given.type, node.typeVersion === 2 ? SECRET : given.secret!);
		const digest = hmac.update(value).digest(given.encoding);
		return [{ json: { ...json, [given.dataPropertyName]: digest }, raw }];
	} catch (error) {
		// As n8n does where a node goes on after an error.
		return [{ json: { error: (error as Error).message } }];
	}
}
