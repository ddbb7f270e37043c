import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { jsonOf, useService } from './fixture';

const BOM = '\uFEFF';
const COMPOSED = 'prénom'.normalize('NFC');
const DECOMPOSED = 'prénom'.normalize('NFD');

describe('the fields of Add Many, as files have them', () => {
	const fixture = useService();
	const addMany = async (parameters: INodeParameters, items: IDataObject[]) =>
		await fixture.student('addManyToClass', parameters, { items, onError: 'continueErrorOutput' });
	const sent = () =>
		fixture.service.requests.flatMap(({ body }) => (body as { students: IDataObject[] }).students);

	test.each([
		['a byte order mark in the file', `${BOM}email`, 'email'],
		['a byte order mark in the parameter', 'email', `${BOM}email`],
		['both, as when the field is dragged in', `${BOM}email`, `${BOM}email`],
		['blanks in the file', ' email ', 'email'],
		['blanks in the parameter', 'email', ' email '],
		['other blanks on either side', '  email', 'email\t'],
		['another Unicode form in the file', DECOMPOSED, COMPOSED],
		['another Unicode form in the parameter', COMPOSED, DECOMPOSED],
		['a name that looks like a path', 'user.email', 'user.email'],
		['a byte order mark before a name that looks like a path', `${BOM}user.email`, 'user.email'],
		['the name of a number', '2027', '2027'],
	])('%s', async (_case, column, emailField) => {
		const { errorItems } = await addMany({ emailField }, [{ [column]: 'a@example.com' }]);
		expect(jsonOf(errorItems)).toEqual([]);
		expect(sent()).toEqual([{ email: 'a@example.com' }]);
	});

	test('a header with a byte order mark also works for the name and the date', async () => {
		const items = [
			{ email: 'a@example.com', ' Nome': 'A', [`${BOM}ends`]: '2027-01-31T00:00:00Z' },
		];
		await addMany(
			{ nameField: 'Nome ', accessExpiration: 'field', expirationField: 'ends' },
			items,
		);
		expect(sent()).toEqual([
			{ email: 'a@example.com', name: 'A', expirationDate: '2027-01-31T00:00:00.000Z' },
		]);
	});

	test('the exact name wins', async () => {
		await addMany({}, [{ ' email': 'wrong@example.com', email: 'right@example.com' }]);
		expect(sent()).toEqual([{ email: 'right@example.com' }]);
	});

	test('the exact name wins, also with a blank', async () => {
		const items = [{ email: 'wrong@example.com', 'email ': 'right@example.com' }];
		await addMany({ emailField: 'email ' }, items);
		expect(sent()).toEqual([{ email: 'right@example.com' }]);
	});

	test('a path may have blanks around it, and need not lead somewhere in every item', async () => {
		const items = [{ user: {} }, { user: { email: 'a@example.com' } }];
		const { errorItems } = await addMany({ emailField: ' user.email ' }, items);
		expect(sent()).toEqual([{ email: 'a@example.com' }]);
		expect(jsonOf(errorItems)).toEqual([
			{
				...items[0],
				error: expect.stringContaining("The field 'user.email' is empty [item 0]"),
			},
		]);
	});

	test('each item may have its own form of the name', async () => {
		const items = [{ ' email': 'a@example.com' }, { 'email ': 'b@example.com' }];
		await addMany({}, items);
		expect(sent()).toEqual([{ email: 'a@example.com' }, { email: 'b@example.com' }]);
	});

	test('several fields that could be meant are an error, not a guess', async () => {
		const items = [{ ' email': 'a@example.com', 'email ': 'b@example.com' }];
		const { errorItems } = await addMany({}, items);
		expect(fixture.service.requests).toEqual([]);
		expect(errorItems[0]!.json.error).toMatch(
			/^'Email Field' is "email", but several fields match this name \[item 0\]\. /,
		);
	});

	test.each<[INodeParameters, string]>([
		[
			{ emailField: 'mail' },
			'\'Email Field\' is "mail", but no input item has a field with that name [item 0]',
		],
		[
			{ nameField: 'nome' },
			'\'Name Field\' is "nome", but no input item has a field with that name [item 0]',
		],
		[
			{ emailField: '={{ ["email"] }}' },
			'\'Email Field\' must be text, but is "["email"]" [item 0]',
		],
		[{ emailField: ' ' }, "'Email Field' is empty [item 0]"],
	])('a field that no item has is refused: %j', async (parameters, message) => {
		const { errorItems } = await addMany(parameters, [{ email: 'a@example.com' }]);
		expect(fixture.service.requests).toEqual([]);
		expect(errorItems[0]!.json.error).toContain(message);
	});

	test.each<[IDataObject[], string]>([
		[[{}], 'The items have no fields.'],
		[[{ a: 1 }, { b: 2 }, { a: 3 }], 'Available fields: a, b.'],
		[
			[Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`field-${n}`, n]))],
			`Available fields: ${Array.from({ length: 99 }, (_, n) => `field-${n}`)
				.join(', ')
				.slice(0, 200)}.`,
		],
	])('where no item has a field, the error says once which there are', async (items, advice) => {
		const { error } = await fixture.student('addManyToClass', {}, { items });
		expect(error?.message).toContain('no input item has a field with that name [item 0]');
		expect(error?.description).toBe(`${advice} Nothing was sent.`);
	});

	test('an item without the field with the dates, or without a date, never expires', async () => {
		await addMany({ accessExpiration: 'field', expirationField: 'ends' }, [
			{ email: 'a@example.com', ends: '2027-01-31T00:00:00Z' },
			{ email: 'b@example.com' },
			{ email: 'c@example.com', ends: '', expired: 'no' },
		]);
		expect(sent()).toEqual([
			{ email: 'a@example.com', expirationDate: '2027-01-31T00:00:00.000Z' },
			{ email: 'b@example.com' },
			{ email: 'c@example.com' },
		]);
	});

	test('the name field may be empty, the default one absent, and the name empty', async () => {
		await addMany({ nameField: '' }, [{ email: 'a@example.com', name: 'A' }]);
		await addMany({}, [{ email: 'a@example.com' }]);
		await addMany({ nameField: 'nome' }, [
			{ email: 'a@example.com' },
			{ email: 'b@example.com', nome: 'B' },
		]);
		expect(sent()).toEqual([
			{ email: 'a@example.com' },
			{ email: 'a@example.com' },
			{ email: 'a@example.com' },
			{ email: 'b@example.com', name: 'B' },
		]);
	});

	test('where the dates are not found, the message says both ways out', async () => {
		const { errorItems } = await addMany({ accessExpiration: 'field', expirationField: 'ends' }, [
			{ email: 'a@example.com' },
		]);
		expect(fixture.service.requests).toEqual([]);
		expect(errorItems[0]!.json.error).toBe(
			"a@example.com was not added (item 0): 'Expiration Field' is \"ends\", but no input item has a field with that name. Drag in the input field that contains the dates, or set 'Access Expiration' to 'Never'.",
		);
	});

	test('an item whose date is in a field of another name is not enrolled for life', async () => {
		const items = [
			{ email: 'a@example.com', expirationDate: '2027-01-31T00:00:00Z' },
			{ email: 'b@example.com', ExpirationDate: '2027-01-31T00:00:00Z' },
			{ email: 'c@example.com', expirationDate: '' },
		];
		const { errorItems } = await addMany({ accessExpiration: 'field' }, items);
		expect(sent()).toEqual([
			{ email: 'a@example.com', expirationDate: '2027-01-31T00:00:00.000Z' },
			{ email: 'c@example.com' },
		]);
		expect(errorItems[0]!.json.error).toContain(
			'b@example.com was not added (item 1): \'Expiration Field\' is "expirationDate", but this item has "ExpirationDate" instead',
		);
	});

	test.each(['validUntil', 'accessEnds', 'endDate', 'until', 'date', 'Expires'])(
		'a student in JSON whose date is in the field %s is not enrolled for life',
		async (field) => {
			const students = [
				{ email: 'a@example.com', [field]: '2127-01-31' },
				{ email: 'b@example.com', born: '1990-01-31', note: '1' },
			];
			const { errorItems } = await addMany(
				{ studentsFrom: 'json', studentsJson: JSON.stringify(students) },
				[{}],
			);
			expect(sent()).toEqual([{ email: 'b@example.com' }]);
			expect(errorItems[0]!.json.error).toContain(`has an unknown field "${field}"`);
		},
	);
});
