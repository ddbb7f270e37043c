import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import mapValues from 'lodash/mapValues';
import { Expression, type IDataObject } from 'n8n-workflow';

import { GENERATED } from '../../examples/generated';
import { recipeFor } from '../../examples/shops/recipe';
import { SHOPS } from '../../examples/shops/shops';
import { isNote, isYellow, overlapsOf } from '../../examples/templates/rules';
import { parseEmail } from '../../nodes/ClassEnrollment/values/email';
import { parseRedirectUrl } from '../../nodes/ClassEnrollment/values/redirectUrl';
import type { Workflow } from '../n8n/workflows';

const FOLDER = join(__dirname, '../../examples');
const README = readFileSync(join(FOLDER, '../README.md'), 'utf8');
const SHOPS_PAGE = readFileSync(join(FOLDER, '../docs/shops.md'), 'utf8');
type If = { conditions: { conditions: Array<{ leftValue: string }> } };
type Connections = Record<string, Record<string, Array<Array<{ node: string }>>>>;

const examples = readdirSync(FOLDER)
	.filter((file) => file.endsWith('.json'))
	.map((file) => {
		const text = readFileSync(join(FOLDER, file), 'utf8');
		return { file, text, workflow: JSON.parse(text) as Workflow };
	});

describe.each(examples)('the example $file', ({ text, workflow }) => {
	const { nodes } = workflow;
	const connections = workflow.connections as Connections;
	const names = nodes.map(({ name }) => name);

	it('contains nothing from the n8n in which it was made', () => {
		const given = Object.keys(workflow).sort();
		expect(given).toEqual(['connections', 'name', 'nodes', 'settings']);
		// Not even a name: n8n does not save what the user then chooses instead.
		expect(nodes.filter(({ credentials }) => credentials)).toEqual([]);
		expect(text).not.toMatch(/instanceId|pinData|"cachedResultName"(?!: "Class access)/);
	});

	it('gives every step a name of its own and connects all of them', () => {
		expect(new Set(names).size).toBe(names.length);
		const targets = Object.values(connections)
			.flatMap((types) => Object.values(types).flat(2))
			.map(({ node }) => node);
		const connected = new Set([...Object.keys(connections), ...targets]);
		const steps = nodes.filter((node) => !isNote(node)).map(({ name }) => name);
		expect([...connected].sort()).toEqual(steps.sort());
	});

	it('refers in its expressions only to steps that exist', () => {
		const referred = [...text.matchAll(/\$\('([^']+)'\)/g)].map(([, name]) => name ?? '');
		expect(referred.filter((name) => !names.includes(name))).toEqual([]);
	});

	it('keeps failed executions', () => {
		expect(workflow.settings).toMatchObject({ saveDataErrorExecution: 'all' });
	});

	it('explains itself, with nothing drawn over anything else', () => {
		expect(nodes.some(isNote)).toBe(true);
		expect(overlapsOf(nodes)).toEqual([]);
	});
});

test('the examples use only tables and columns that Class access creates', () => {
	const parametersOf = examples.flatMap(({ workflow }) =>
		workflow.nodes.map(({ parameters }) => parameters as Record<string, unknown>),
	);
	const created = parametersOf.filter(({ resource }) => resource === 'table');
	const columns = created.map(({ tableName, columns }) => {
		const { column } = columns as { column: Array<{ name: string }> };
		return [tableName, column.map(({ name }) => name)] as const;
	});
	const known = new Map(columns);
	expect(columns).toEqual([...known]);
	const rowNodes = parametersOf.filter(({ resource }) => resource === 'row');
	expect(rowNodes.length).toBeGreaterThan(0);
	for (const parameters of rowNodes) {
		const table = known.get((parameters.dataTableId as { value: string }).value);
		const used = [...JSON.stringify(parameters).matchAll(/"(?:keyName|displayName)":"(\w+)"/g)];
		expect(['id', 'createdAt', ...table!]).toEqual(
			expect.arrayContaining(used.map(([, name]) => name)),
		);
	}
});

test.each(Object.entries(GENERATED))('%s is what `npm run shops` writes', (name, generated) => {
	const { workflow } = examples.find(({ file }) => file === `${name}.json`)!;
	expect(workflow).toEqual(generated);
});

const parametersOf = (example: string, node: string): unknown =>
	examples
		.find(({ file }) => file === `${example}.json`)!
		.workflow.nodes.find(({ name }) => name === node)!.parameters;

/** Evaluates an expression of an example for an item. */
function evaluate(expression: string, $json: IDataObject): unknown {
	const data: IDataObject = {};
	Expression.initializeGlobalContext(data);
	data.$json = $json;
	return Expression.resolveWithoutWorkflow(expression.slice(1), data);
}

const messageOf = (read: () => unknown): string => {
	try {
		read();
	} catch (error) {
		return (error as Error).message;
	}
	throw new Error('It is not rejected');
};

test.each([
	['an address', true, messageOf(() => parseEmail('student', 'Email'))],
	['its redirect URL', false, messageOf(() => parseRedirectUrl('example.com', 'Redirect URL'))],
	['an address by the service', true, 'Rejected by the service (status 400): Unknown student'],
	[
		'its redirect URL by the service',
		false,
		'Rejected by the service (status 400): redirectUrl must be on an allowed domain',
	],
	[
		'its redirect URL by a service in Brazil',
		false,
		'Rejected by the service (status 422): URL de redirecionamento inválida',
	],
])('Lost link shows its page although %s is rejected: %p', (_what, shows, error) => {
	const { leftValue } = (parametersOf('lost-link', 'Sent or Rejected?') as If).conditions
		.conditions[0]!;
	expect(evaluate(leftValue, { outcome: 'rejected', error })).toBe(shows);
});

// Then n8n passes on what came into the node.
test('Lost link says what to do if its node breaks as a whole, as without its credential', () => {
	const { errorMessage } = parametersOf('lost-link', 'Show as Failed') as IDataObject;
	expect(evaluate(String(errorMessage), { Email: 'ana@example.com' })).toBe(
		'The magic link: No answer. Check the credential of Send Magic Link',
	);
	expect(evaluate(String(errorMessage), { error: 'Subscription canceled' })).toBe(
		'The magic link: Subscription Canceled',
	);
});

test.each([
	['end-of-access', 'Students'],
	['ends-soon', 'Ends Soon'],
])('%s reads its rows in an order, as n8n may otherwise miss some of a long table', (...reads) => {
	expect(parametersOf(...reads)).toMatchObject({
		returnAll: true,
		orderBy: true,
		orderByColumn: 'id',
	});
});

test('Class access has at most 28 nodes', () => {
	const { workflow } = examples.find(({ file }) => file === 'class-access.json')!;
	expect(workflow.nodes.filter((node) => !isNote(node)).length).toBeLessThanOrEqual(28);
});

describe.each(Object.entries(SHOPS))('the recipe %s', (name, shop) => {
	const { nodes } = recipeFor(shop);
	const notes = nodes.filter(isNote);

	it('has at most nine nodes, and a white sticky note over each section', () => {
		expect(nodes.length - notes.length).toBeLessThanOrEqual(9);
		expect(notes.filter((note) => !isYellow(note))).toHaveLength(2);
	});

	it('has each word on one list', () => {
		const words = Object.values(shop.words).flatMap((list) => list.split(', '));
		expect(new Set(words).size).toBe(words.length);
	});

	it('is in docs/shops.md and the README', () => {
		const title = shop.isAnother ? 'Another shop' : shop.name;
		const places = {
			'link in docs/shops.md': SHOPS_PAGE.includes(`(../examples/${name}.json)`),
			'section in docs/shops.md': SHOPS_PAGE.includes(`\n## ${title}\n`),
			README: shop.isAnother || README.includes(title),
		};
		expect(places).toEqual(mapValues(places, () => true));
	});

	it('contains no address, so that n8n makes one up for each user', () => {
		const { nodes } = recipeFor(shop);
		const webhook = nodes.find(({ type }) => type === 'n8n-nodes-base.webhook');
		expect(webhook).toMatchObject({ parameters: { path: '' } });
		expect(webhook).not.toHaveProperty('webhookId');
	});
});
