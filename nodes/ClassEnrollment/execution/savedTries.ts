import cloneDeep from 'lodash/cloneDeep';
import groupBy from 'lodash/groupBy';
import isEqual from 'lodash/isEqual';
import mapValues from 'lodash/mapValues';
import type { IContextObject, IDataObject } from 'n8n-workflow';
import { type DoneChange, type EarlierTries, keyOf } from './earlierTries';
import { outputItem } from './output';

/** What a failed execution keeps of the changes that it has made, for n8n's Retry of the execution. */
interface SavedTries {
	/** Where the changes were made. */
	service: string;
	done: SavedChanges[];
	unknown: string[];
}

/** Changes whose parts have the same fields. n8n saves a text that occurs several times only once. */
interface SavedChanges {
	count: number;
	changes: Columns;
	bodies: Columns;
	outputs: Columns;
}

/** Rows with the same fields: by field, the value that all have, or the value of each. */
type Columns = Record<string, { all: unknown } | { each: unknown[] }>;

/**
 * Reads what the failed execution has done, and removes it, so that no later run of the node takes it for its own.
 * @param service identifies where the changes would be made now
 */
export function restoreTries(context: IContextObject, tries: EarlierTries, service: string): void {
	const saved = context.earlierTries as SavedTries | undefined;
	delete context.earlierTries;
	if (saved?.service !== service) return;
	for (const change of saved.done.flatMap(unpack)) tries.done.set(keyOf(change), change);
	for (const key of saved.unknown) tries.unknown.add(key);
}

/** Lets the failed execution keep what was done. */
export function saveTries(
	context: IContextObject,
	{ done, unknown }: EarlierTries,
	service: string,
): void {
	const shapes = groupBy([...done.values()], (change) =>
		JSON.stringify([change, change.body, change.output.json].map(Object.keys)),
	);
	const saved: SavedTries = {
		service,
		done: Object.values(shapes).map(pack),
		unknown: [...unknown],
	};
	context.earlierTries = saved;
}

function pack(changes: DoneChange[]): SavedChanges {
	return {
		count: changes.length,
		changes: toColumns(changes.map(({ body, output, ...change }) => change)),
		bodies: toColumns(changes.map(({ body }) => body)),
		outputs: toColumns(changes.map(({ output }) => output.json)),
	};
}

function unpack({ count, changes, bodies, outputs }: SavedChanges): DoneChange[] {
	return Array.from({ length: count }, (_, index) => {
		const change = rowOf(changes, index) as unknown as DoneChange;
		const output = outputItem(rowOf(outputs, index), change.itemIndex);
		return { ...change, body: rowOf(bodies, index), output };
	});
}

function toColumns(rows: object[]): Columns {
	return mapValues(rows[0] as IDataObject, (value, name) => {
		const each = (rows as IDataObject[]).map((row) => row[name]);
		return each.every((other) => isEqual(other, value)) ? { all: value } : { each };
	});
}

function rowOf(columns: Columns, index: number): IDataObject {
	return mapValues(columns, (column) =>
		cloneDeep('each' in column ? column.each[index] : column.all),
	) as IDataObject;
}
