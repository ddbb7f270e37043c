import type {
	ICredentialType,
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeType,
} from 'n8n-workflow';
import { readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OPERATIONS } from '../workflow/operations';

/** The file that says what saved workflows depend on. */
export const CONTRACT_FILE = join(__dirname, 'contract.txt');

const ROOT = resolve(__dirname, '../..');
const SCHEMAS = join(ROOT, 'dist/nodes/ClassEnrollment/__schema__/v1.0.0');
const COLUMN = 38;
const FIRST_LINE =
	'# Written by `npm run contract`: what saved workflows depend on, as CONTRIBUTING.md explains.';

interface Schema {
	properties: Record<string, { type: string }>;
	required?: string[];
}

/** Describes what saved workflows depend on, as the built package has it: a line for each name. */
export function describeContract(): string {
	type PackageJson = { name: string; n8n: { nodes: string[]; credentials: string[] } };
	const { name, n8n } = readJson<PackageJson>(join(ROOT, 'package.json'));
	const credentials = n8n.credentials.map((file) => load<ICredentialType>(file));
	const blocks = [
		...credentials.map((type) => [`credential ${type.name}`, ...describeFields(type.properties)]),
		...n8n.nodes.flatMap((file) => describeNode(name, load(file))),
		...describeOutputs(),
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

function describeNode(packageName: string, { description }: INodeType): string[][] {
	const { properties, credentials, inputs, outputs } = description;
	const node = [
		`node ${packageName}.${description.name}`,
		line('version', String(description.version)),
		line('inputs', String(inputs) || 'none'),
		line('outputs', String(outputs)),
		line('credential', credentials!.map(({ name }) => name).join(', ')),
		line('usable as a tool', description.usableAsTool ? 'yes' : 'no'),
		...describeFields(properties.filter((field) => !field.displayOptions?.show?.operation)),
	];
	const operations = properties
		.filter(({ name }) => name === 'operation')
		.flatMap(({ options, displayOptions }) => {
			const [resource] = displayOptions!.show!.resource!;
			return (options as INodePropertyOptions[]).map(({ value }) => [
				`operation ${String(resource)} ${String(value)}`,
				...describeFields(
					properties.filter(({ displayOptions: { show } = {} }) => {
						return show?.resource?.includes(resource!) && show.operation?.includes(value);
					}),
				),
			]);
		});
	return [node, ...operations];
}

/** One line for a field, and one for each field in it. Notices contain nothing. */
function describeFields(fields: INodeProperties[], path = ''): string[] {
	return fields
		.filter(({ type }) => type !== 'notice')
		.flatMap((field) => {
			const name = `${path}${field.name}`;
			const { type, options = [], modes, required } = field;
			const choices = (options as INodePropertyOptions[]).map(({ value }) => value).join(', ');
			const facts = [
				`${type} = ${JSON.stringify(field.default)}`,
				type === 'options' && `one of ${choices}`,
				modes && `modes ${modes.map((mode) => mode.name).join(', ')}`,
				required && 'required',
				describeCondition(field),
			];
			const groups = options as INodePropertyCollection[];
			const inner: Record<string, () => string[]> = {
				collection: () => describeFields(options as INodeProperties[], `${name}.`),
				fixedCollection: () =>
					groups.flatMap((group) => describeFields(group.values, `${name}.${group.name}.`)),
				json: () => describeKeys(field.name),
			};
			return [line(name, facts.filter(Boolean).join('; ')), ...(inner[type]?.() ?? [])];
		});
}

/** The keys of the objects in a JSON parameter, which the package nowhere lists, as the tests of all operations use them. */
function describeKeys(parameter: string): string[] {
	const text = OPERATIONS.map(({ everything }) => everything[parameter]).find(Boolean);
	const [object] = JSON.parse(text as string) as Array<Record<string, unknown>>;
	return Object.entries(object!).map(([key, value]) => line(`${parameter}[].${key}`, typeof value));
}

function describeCondition({ displayOptions }: INodeProperties): string | undefined {
	const { operation, ...others } = displayOptions?.show ?? {};
	// A field of an operation is listed under it.
	const conditions = Object.entries(others)
		.filter(([name]) => !operation || name !== 'resource')
		.map(([name, values]) => `${name} is ${values!.join(' or ')}`);
	return conditions.length > 0 ? `if ${conditions.join(' and ')}` : undefined;
}

function describeOutputs(): string[][] {
	return readdirSync(SCHEMAS, { recursive: true, encoding: 'utf8' })
		.filter((file) => file.endsWith('.json'))
		.sort()
		.map((file) => {
			const { properties, required = [] } = readJson<Schema>(join(SCHEMAS, file));
			return [
				`output ${file.replace('.json', '').replace('/', ' ')}`,
				...Object.entries(properties).map(([name, { type }]) =>
					line(name, required.includes(name) ? type : `${type}; may be missing`),
				),
			];
		});
}

const line = (name: string, fact: string) => `  ${name.padEnd(COLUMN)} ${fact}`;
