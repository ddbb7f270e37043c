import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { WAY } from './engine';
import {
	CONTINUE,
	emailOf,
	errorsOf,
	indexes,
	jsonOf,
	rows,
	studentsIn,
	useService,
} from './fixture';

const BOM = '\uFEFF';
const A = 'a@example.com';
const B = 'b@example.com';
const FUTURE = '2127-01-31';

const fixture = useService();
const addMany = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
	await fixture.student('addManyToClass', parameters, { items, ...CONTINUE });
const sent = () => fixture.service.requests.flatMap(studentsIn);

interface Found {
	parameters: INodeParameters;
	items: IDataObject[];
	sent: IDataObject[];
}

describe('the fields of Add Many, as files have them', () => {
	test.each`
		which                                          | parameters                                                                    | items                                                                       | sent
		${'a byte order mark in the file'}             | ${{}}                                                                         | ${[{ [`${BOM}email`]: A }]}                                                 | ${[{ email: A }]}
		${'a byte order mark in the parameter'}        | ${{ emailField: `${BOM}email` }}                                              | ${[{ email: A }]}                                                           | ${[{ email: A }]}
		${'both, as when the field is dragged in'}     | ${{ emailField: `${BOM}email` }}                                              | ${[{ [`${BOM}email`]: A }]}                                                 | ${[{ email: A }]}
		${'blanks in the file'}                        | ${{}}                                                                         | ${[{ ' email ': A }]}                                                       | ${[{ email: A }]}
		${'another blank, and an invisible character'} | ${{ emailField: 'e m\u00adail' }}                                             | ${[{ 'e\u00a0ma\u200bil': A }]}                                             | ${[{ email: A }]}
		${'a name that looks like a path'}             | ${{ emailField: 'user.email' }}                                               | ${[{ 'user.email': A }]}                                                    | ${[{ email: A }]}
		${'the name of a number'}                      | ${{ emailField: '2027' }}                                                     | ${[{ 2027: A }]}                                                            | ${[{ email: A }]}
		${'the exact name among others'}               | ${{}}                                                                         | ${[{ email: A, 'email ': B }]}                                              | ${[{ email: A }]}
		${'forms of the names of all fields'}          | ${{ nameField: 'Nome ', accessExpiration: 'field', expirationField: 'ends' }} | ${[{ email: A, ' Nome': 'A', [`${BOM}ends`]: FUTURE }]}                     | ${[{ email: A, name: 'A', expirationDate: '2127-01-31T03:00:00.000Z' }]}
		${'a path through lists'}                      | ${{ emailField: 'people[0].emails.1' }}                                       | ${[{ people: [{ emails: ['x', A] }] }, { people: [{ emails: ['x', B] }] }]} | ${[{ email: A }, { email: B }]}
		${'capital letters in the file'}               | ${{ accessExpiration: 'field' }}                                              | ${[{ Email: A, NAME: 'A', ExpirationDate: FUTURE }]}                        | ${[{ email: A, name: 'A', expirationDate: '2127-01-31T03:00:00.000Z' }]}
		${'no name field'}                             | ${{ nameField: '' }}                                                          | ${[{ email: A, name: 'A' }]}                                                | ${[{ email: A }]}
		${'no field with the default name'}            | ${{}}                                                                         | ${[{ email: A }]}                                                           | ${[{ email: A }]}
		${'a name in some items'}                      | ${{ nameField: 'nome' }}                                                      | ${[{ email: A }, { email: B, nome: 'B' }]}                                  | ${[{ email: A }, { email: B, name: 'B' }]}
	`('$which', async ({ parameters, items, sent: expected }: Found) => {
		await addMany(parameters, items);
		expect(sent()).toEqual(expected);
	});

	test('a path may have blanks around it, and need not lead somewhere in every item', async () => {
		const items = [{ user: {} }, { user: { email: 'a@example.com' } }];
		const result = await addMany({ emailField: ' user.email ' }, items);
		expect(sent()).toEqual([{ email: 'a@example.com' }]);
		const empty = expect.stringContaining("'Email Field: user.email' is empty [item 0]") as string;
		expect(errorsOf(result)).toEqual([empty]);
		expect(result.errorItems[0]!.json).toMatchObject(items[0]!);
	});

	const manyFields = indexes(99).map((n) => `field-${n}`);
	test.each<[IDataObject[], string]>([
		[[{}], 'The items have no fields.'],
		[[{ a: 1 }, { b: 2 }, { a: 3 }], 'Available fields: a, b.'],
		[
			[{ 'E-mail;Nome': 'a;b' }],
			'The file seems to be separated by semicolons: set Delimiter to ; in Extract From File.',
		],
		// The file is separated by something else.
		[[{ 'a;b': 1, c: 1 }], 'Available fields: a;b, c.'],
		[
			[Object.fromEntries(manyFields.map((name) => [name, 1]))],
			`Available fields: ${manyFields.join(', ').slice(0, 200)}.`,
		],
	])('where no item has a field, the error says once which there are', async (items, advice) => {
		const { error } = await fixture.student('addManyToClass', {}, { items });
		expect(error?.message).toContain('no input item has a field with that name [item 0]');
		expect(error?.description).toBe(items.length > 1 ? `${advice} Nothing was changed.` : advice);
	});
});

test('a date field that no item has is no error of the items', async () => {
	const parameters = { accessExpiration: 'field', expirationField: 'End' };
	const { items } = await fixture.student('addManyToClass', parameters, {
		items: rows(2),
		onError: 'continueRegularOutput',
	});
	const error = expect.stringMatching(/^not added: 'Expiration Field' is "End", but/) as string;
	expect(jsonOf(items)).toMatchObject([0, 1].map(() => ({ error, outcome: 'notProcessed' })));
});

// Where n8n runs the routing, it ends the node at such an item.
if (WAY === 'step')
	test('an expression of Access Expiration that fails is an error of its item alone', async () => {
		const fails = '$json.email === "student-0@example.com" && "x".toDateTime()';
		const items = rows(2).map((row) => ({ ...row, expirationDate: FUTURE }));
		await addMany({ accessExpiration: `={{ ${fails} || "field" }}` }, items);
		expect(sent()).toMatchObject([{ email: emailOf(1) }]);
	});

test('a date that some items are without the field for is an error of these items', async () => {
	const items = [
		{ email: emailOf(0), ends: FUTURE },
		{ email: emailOf(1), ends: '' },
		{ email: emailOf(2), ends: null },
		{ email: emailOf(3), End: FUTURE },
	];
	const fromInput = { accessExpiration: 'field', expirationField: 'ends' };
	const result = await fixture.student('addManyToClass', fromInput, { items, ...CONTINUE });
	expect(sent()).toEqual([
		{ email: emailOf(0), expirationDate: expect.stringMatching(/Z$/) },
		{ email: emailOf(1) },
		{ email: emailOf(2) },
	]);
	expect(errorsOf(result)).toEqual([
		expect.stringMatching(
			/'Expiration Field: ends' is missing \[item 3\]\. Use the same field name in all items\./,
		),
	]);
});
