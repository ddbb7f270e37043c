import { map, mapValues, pick } from 'lodash';
import type { ICredentialType, INodeProperties, INodeType } from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERATIONS } from '../workflow/operations';

/** The file that says what saved workflows depend on. */
export const CONTRACT_FILE = join(__dirname, 'contract.txt');

const ROOT = resolve(__dirname, '../..');
const SCHEMAS = join(ROOT, 'dist/nodes/ClassEnrollment/__schema__/v1.0.0');
const FIRST_LINE =
	'# Written by `npm run contract`: what saved workflows depend on, as CONTRIBUTING.md explains.';
const OF_NODE = ['version', 'inputs', 'outputs', 'credentials', 'usableAsTool'];

/** Describes what saved workflows depend on, as the built package has it: a line for each name. */
export function describeContract(): string {
	const { name, n8n } = readJson<{ name: string; n8n: Record<string, string[]> }>(
		join(ROOT, 'package.json'),
	);
	const credentials = n8n.credentials!.map((file) => load<ICredentialType>(file));
	const nodes = n8n.nodes!.map((file) => load<INodeType>(file).description);
	const blocks = [
		...credentials.map((type) => [`credential ${type.name}`, ...describeFields(type.properties)]),
		...nodes.map((node) => [
			line(`node ${name}.${node.name}`, pick(node, OF_NODE)),
			...describeFields(node.properties),
		]),
		...readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
			.filter((file) => file.endsWith('.json'))
			.sort()
			.map(describeOutput),
	];
	return [[FIRST_LINE], ...blocks].map((lines) => `${lines.join('\n')}\n`).join('\n');
}

/** An instance of the only class that a file of the built package exports. */
export function load<Exported>(file: string): Exported {
	// eslint-disable-next-line @typescript-eslint/no-require-imports
	const exported = require(join(ROOT, file)) as Record<string, new () => Exported>;
	const [Class] = Object.values(exported);
	return new Class!();
}

const readJson = <Content>(file: string) => JSON.parse(readFileSync(file, 'utf8')) as Content;

const line = (name: string, facts: object) => `${name} ${JSON.stringify(facts)}`;

/** A line for a field, and one for each field in it. Notices contain nothing. */
function describeFields(fields: INodeProperties[], path = '  '): string[] {
	const described = fields.filter(({ type }) => type !== 'notice');
	return described.flatMap(({ name, type, required, modes, options = [], ...field }) => {
		const facts = {
			type,
			default: field.default,
			required,
			modes: modes && map(modes, 'name'),
			choices: type === 'options' ? map(options, 'value') : undefined,
			keys: type === 'json' ? keysOf(name) : undefined,
			show: field.displayOptions?.show,
		};
		const inner = type === 'options' ? [] : options;
		return [
			line(path + name, facts),
			...inner.flatMap((inside) =>
				'values' in inside
					? describeFields(inside.values, `${path}${name}.${inside.name}.`)
					: describeFields([inside as INodeProperties], `${path}${name}.`),
			),
		];
	});
}

/** The keys of the objects in a JSON parameter, which the package nowhere lists, as the tests of all operations use them. */
function keysOf(parameter: string): object {
	const text = OPERATIONS.map(({ everything }) => everything[parameter]).find(Boolean);
	const [object] = JSON.parse(text as string) as [object];
	return mapValues(object, (value) => typeof value);
}

function describeOutput(file: string): string[] {
	type Schema = { properties: Record<string, { type: string }>; required?: string[] };
	const { properties, required = [] } = readJson<Schema>(join(SCHEMAS, file));
	return [
		`output ${file.replace('.json', '').replace('/', ' ')}`,
		...Object.entries(properties).map(([name, { type }]) =>
			line(`  ${name}`, { type, required: required.includes(name) }),
		),
	];
}
