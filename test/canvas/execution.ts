import { DateTime, Settings } from 'luxon';
import { Expression, type IDataObject } from 'n8n-workflow';
import { compileFunction } from 'node:vm';

import type { Service } from '../classAccess/service';
import type { Table } from '../classAccess/tables';
import type { Workflow, WorkflowNode } from '../n8n/workflows';
import { carryOut } from './nodes';

export interface Item {
	json: Record<string, unknown>;
	/** The raw body of a request. */
	raw?: string;
}

export interface World {
	tables: Record<string, Table>;
	service: Service;
	now: number;
}

type Main = { main: Array<Array<{ node: string }>> };
type Compiled = (...values: unknown[]) => unknown;

const GLOBALS: IDataObject = {};
Expression.initializeGlobalContext(GLOBALS);
let executions = 0;
const GIVEN = ['$', '$input', '$runIndex', '$execution', 'DateTime', 'Date'];
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

/** One execution of a workflow, by the few kinds of nodes that the shops and Class access use. */
export class Execution {
	/** What each node has output on its first output, by run. */
	readonly runs = new Map<string, Item[][]>();
	/** What each node has output last on its second output. */
	readonly second = new Map<string, Item[]>();
	private readonly date: DateConstructor;
	/** What expressions see. */
	private readonly data: IDataObject;
	output: Item[] = [];
	private readonly execution: { id: string; mode: string };

	constructor(
		private readonly workflow: Workflow,
		readonly world: World,
		private readonly trigger: string,
		mode = 'production',
	) {
		this.execution = { id: String(++executions), mode };
		this.date = dateOf(world);
		// As n8n does with the time zone of the workflow.
		Settings.defaultZone = 'utc';
		const $ = this.lookUp as unknown as IDataObject;
		this.data = { ...GLOBALS, $, $execution: this.execution };
	}

	start(input: Item[]): Generator<string, void> {
		return this.run(this.trigger, input);
	}

	/** Carries it out. It pauses before and within each node, so that others come in between, or n8n dies. */
	private *run(name: string, input: Item[]): Generator<string, void> {
		yield name;
		const node = this.workflow.nodes.find((node) => node.name === name)!;
		const outputs: Item[][] = [];
		this.data.$input = { all: () => input };
		for (const result of yield* carryOut(this, node, input)) {
			const needed = result.length === 0 && node.alwaysOutputData === true;
			outputs.push(needed ? [{ json: {} }] : result);
		}
		this.runs.set(name, [...(this.runs.get(name) ?? []), outputs[0]!]);
		this.second.set(name, outputs[1] ?? []);
		this.output = outputs.find((items) => items.length > 0) ?? [];
		const connections = this.workflow.connections as Record<string, Main | undefined>;
		for (const [index, targets] of (connections[name]?.main ?? []).entries()) {
			const items = outputs[index] ?? [];
			for (const { node } of targets) if (items.length > 0) yield* this.run(node, items);
		}
	}

	private readonly lookUp = (name: string) => {
		const runs = this.runs.get(name);
		return {
			isExecuted: runs !== undefined,
			first: () => runs!.at(-1)![0],
			all: (...[, run = -1]: number[]) => runs!.at(run)!,
		};
	};

	runCode({ name, parameters }: WorkflowNode, input: Item[]): Item[] {
		const { jsCode } = parameters as { jsCode: string };
		const $input = { all: () => input, first: () => input[0] };
		const run = this.runs.get(name)?.length ?? 0;
		const values = [this.lookUp, $input, run, this.execution, DateTime, this.date];
		const result = compile(jsCode)(...values) as object | object[];
		return (Array.isArray(result) ? result : [result]).map(toItem);
	}

	/** A parameter, with its expressions evaluated for an item as n8n does. */
	resolve(value: unknown, item: Item): unknown {
		if (Array.isArray(value)) return value.map((each) => this.resolve(each, item));
		if (typeof value === 'object' && value !== null)
			return Object.fromEntries(
				Object.entries(value).map(([key, each]) => [key, this.resolve(each, item)]),
			);
		if (typeof value !== 'string' || !value.startsWith('=')) return value;
		this.data.$json = item.json;
		this.data.$now = DateTime.fromMillis(this.world.now);
		try {
			return Expression.resolveWithoutWorkflow(value.slice(1), this.data);
		} catch (error) {
			// A field of what is not there is empty.
			if (error instanceof TypeError) return null;
			throw error;
		}
	}
}
