import { keyBy, mapValues, pick, sortBy } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import type { Operation } from '../operation/operation';
import { toRouting } from './routing';
import { toCustomOperation } from './run';

/** A resource of the node, with all operations on it. */
export interface Resource {
	name: string;
	value: string;
	operations: Operation[];
	/** The value of one of them. */
	defaultOperation: string;
}

/** The choice of the resource and of its operation, and the fields of each operation, shown for it alone. */
export function toProperties(resources: Resource[], defaultResource: string): INodeProperties[] {
	const choice: INodeProperties = {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources.map(({ name, value }) => ({ name, value })),
		default: defaultResource,
	};
	return [choice, ...resources.flatMap(propertiesOf)];
}

/** The subtitle on the canvas, such as "Get Many: Class": the names that the form shows. Each has its own value. */
export function toSubtitle(resources: Resource[]): string {
	const named = [...resources, ...resources.flatMap(({ operations }) => operations)];
	const names = JSON.stringify(Object.fromEntries(named.map(({ name, value }) => [value, name])));
	return `={{ ["operation", "resource"].map((key) => (${names})[$parameter[key]] ?? $parameter[key]).join(": ") }}`;
}

/** The custom operations, by resource and operation. */
export function toCustomOperations(resources: Resource[]) {
	return mapValues(keyBy(resources, 'value'), ({ operations }) =>
		mapValues(keyBy(operations, 'value'), toCustomOperation),
	);
}

function propertiesOf({ value, operations, defaultOperation }: Resource): INodeProperties[] {
	const choice: INodeProperties = {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: sortBy(operations, 'name').map((operation) => ({
			...pick(operation, 'name', 'value', 'action', 'description'),
			routing: toRouting(operation),
		})),
		default: defaultOperation,
		displayOptions: { show: { resource: [value] } },
	};
	const fields = operations.flatMap((operation) =>
		operation.fields.map((field) => ({
			...field,
			displayOptions: {
				show: { resource: [value], operation: [operation.value], ...field.displayOptions?.show },
			},
		})),
	);
	return [choice, ...fields];
}
