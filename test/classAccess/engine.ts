import { DateTime } from 'luxon';
import { compileFunction } from 'node:vm';

import type { Workflow, WorkflowNode } from '../n8n/workflows';
import type { Service } from './service';
import type { Condition, Table } from './tables';

interface Item {
	json: Record<string, unknown>;
}

export interface World {
	tables: Record<string, Table>;
	service: Service;
	now: number;
}

/** Parameters of the kinds of nodes that are known here. */
interface Parameters {
	jsCode: string;
	rules: { values: Array<{ conditions: { conditions: Array<{ leftValue: string }> } }> };
	operation: string;
	matchType: string;
	dataTableId: { value: string };
	filters: { conditions: Condition[] };
	columns?: { mappingMode: string; value: object };
	email: string;
	classId?: { value: string };
	expirationDate?: string;
}

type Main = { main: Array<Array<{ node: string }>> };
type Compiled = (...values: unknown[]) => unknown;

const GIVEN = ['$', '$input', '$json', '$runIndex', '$execution', '$now', 'DateTime', 'Date'];
const compiled = new Map<string, Compiled>();

function compile(code: string): Compiled {
	const known = compiled.get(code) ?? (compileFunction(code, GIVEN) as Compiled);
	compiled.set(code, known);
	return known;
}

/** The `Date` of a world, whose time only the story moves. */
function dateOf(world: World): DateConstructor {
	return class extends Date {
		constructor(...values: unknown[]) {
			super(...((values.length > 0 ? values : [world.now]) as [number]));
		}

		static override now(): number {
			return world.now;
		}
	} as DateConstructor;
}

const toItem = (value: object): Item => ('json' in value ? value : { json: value }) as Item;

/** One execution of a workflow, by the few kinds of nodes that Class access uses. */
export class Execution {
	private readonly runs = new Map<string, Item[][]>();
	private readonly date: DateConstructor;
	output: Item[] = [];

	constructor(
		private readonly workflow: Workflow,
		private readonly world: World,
		private readonly trigger: string,
	) {
		this.date = dateOf(world);
	}

	start(input: Item[]): Generator<string, void> {
		return this.run(this.trigger, input);
	}

	/** Carries it out. It pauses before and within each node, so that others come in between, or n8n dies. */
	private *run(name: string, input: Item[]): Generator<string, void> {
		yield name;
		const node = this.workflow.nodes.find((node) => node.name === name)!;
		const outputs: Item[][] = [];
		for (const result of yield* this.carryOut(node, input)) {
			const needed = result.length === 0 && node.alwaysOutputData === true;
			outputs.push(needed ? [{ json: {} }] : result);
		}
		this.runs.set(name, [...(this.runs.get(name) ?? []), outputs[0]!]);
		this.output = outputs.find((items) => items.length > 0) ?? [];
		const connections = this.workflow.connections as Record<string, Main | undefined>;
		for (const [index, targets] of (connections[name]?.main ?? []).entries()) {
			const items = outputs[index] ?? [];
			for (const { node } of targets) if (items.length > 0) yield* this.run(node, items);
		}
	}

	private evaluate(code: string, input: Item[], json: object, runIndex = 0): unknown {
		const runsOf = (name: string) => this.runs.get(name) ?? [];
		const lookUp = (name: string) => ({
			isExecuted: this.runs.has(name),
			first: () => runsOf(name).at(-1)![0],
			all: (...[, run = -1]: number[]) => runsOf(name).at(run)!,
		});
		const $input = { all: () => input, first: () => input[0] };
		const execution = { id: '1', mode: 'production' };
		const now = DateTime.fromMillis(this.world.now).toISO();
		const values = [lookUp, $input, json, runIndex, execution, now, DateTime, this.date];
		return compile(code)(...values);
	}

	/** A parameter, with its expressions evaluated for an item. */
	private resolve(value: unknown, input: Item[], item: Item): unknown {
		if (Array.isArray(value)) return value.map((each) => this.resolve(each, input, item));
		if (typeof value === 'object' && value !== null)
			return Object.fromEntries(
				Object.entries(value).map(([key, each]) => [key, this.resolve(each, input, item)]),
			);
		if (typeof value !== 'string' || !value.startsWith('=')) return value;
		const expression = /^=\{\{([^]*)\}\}$/.exec(value)?.[1];
		if (!expression) throw new Error(`Not one expression: ${value}`);
		return this.evaluate(`return (${expression})`, input, item.json);
	}

	private *carryOut(node: WorkflowNode, input: Item[]): Generator<string, Item[][]> {
		const type = node.type.split('.').at(-1)!;
		const parameters = node.parameters as Parameters;
		if (type.endsWith('Trigger')) return [input];
		if (type === 'code') {
			const run = this.runs.get(node.name)?.length ?? 0;
			const result = this.evaluate(parameters.jsCode, input, input[0]!.json, run) as object;
			return [(Array.isArray(result) ? (result as object[]) : [result]).map(toItem)];
		}
		if (type === 'switch') return this.switch(parameters, input);
		const output: Item[] = [];
		for (const item of node.executeOnce ? input.slice(0, 1) : input) {
			const resolved = this.resolve(parameters, input, item) as Parameters;
			if (type === 'dataTable') output.push(...(yield* this.dataTable(resolved, item)));
			else if (type === 'classEnrollment') output.push(...this.enroll(resolved, node));
			else throw new Error(`Nodes of the type ${type} are not known here.`);
			yield `${node.name}, item ${output.length}`;
		}
		return [output];
	}

	private switch({ rules }: Parameters, input: Item[]): Item[][] {
		const outputs: Item[][] = rules.values.map(() => []);
		for (const item of input) {
			const index = rules.values.findIndex(({ conditions }) =>
				this.resolve(conditions.conditions[0]!.leftValue, input, item),
			);
			outputs[index]?.push(item);
		}
		return outputs;
	}

	private *dataTable(given: Parameters, { json }: Item): Generator<string, Item[]> {
		if (given.operation === 'create') return [{ json: {} }];
		const table = this.world.tables[given.dataTableId.value]!;
		const found = table.find(given.filters.conditions, given.matchType);
		const { mappingMode = '', value = {} } = given.columns ?? {};
		const values = mappingMode === 'autoMapInputData' ? json : value;
		if (given.operation !== 'get') found.forEach((row) => table.write(row, values));
		if (given.operation === 'upsert' && found.length === 0) {
			// In PostgreSQL, others may come in between.
			yield 'upsert';
			found.push(table.insert(values, this.world.now));
		}
		return found.map((row) => ({ json: { ...row } }));
	}

	private enroll(given: Parameters, node: WorkflowNode): Item[] {
		const { operation, email, classId, expirationDate } = given;
		const { service } = this.world;
		const listed = service.listed ?? service.classes;
		if (operation === 'getAll') return listed.map((id) => ({ json: { id, name: id } }));
		const failure = service.request(operation, email, classId?.value, expirationDate);
		if (failure && node.onError !== 'continueRegularOutput') throw new Error(failure.error);
		return [{ json: failure ? { ...failure } : { success: true, email } }];
	}
}
