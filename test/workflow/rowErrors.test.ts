import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, CONTINUE, errorsOf as errorsIn, useService } from './fixture';

const IN_FIELD = { accessExpiration: 'field' };
const GENERIC = 'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.';
const IN_SAO_PAULO = '2027-01-31T03:00:00.000Z';
const WITH_TIME = '2027-01-31T12:05:00.000Z';

const EXCEL = "DateTime.fromISO('1899-12-30').plus({ days: $json.ends })";
const inFormat = (format: string) => `DateTime.fromFormat($json.ends, '${format}')`;

/** What a spreadsheet contains, the expression that the error prints for the field `ends`, and its date. */
const CONVERSIONS: Array<[value: string | number, expression: string, date: string]> = [
	['31/01/2027', inFormat('dd/MM/yyyy'), IN_SAO_PAULO],
	['31-01-2027', inFormat('dd-MM-yyyy'), IN_SAO_PAULO],
	['31.01.2027', inFormat('dd.MM.yyyy'), IN_SAO_PAULO],
	['31/1/2027', inFormat('dd/M/yyyy'), IN_SAO_PAULO],
	['01/31/2027', inFormat('MM/dd/yyyy'), IN_SAO_PAULO],
	['1/31/2027', inFormat('M/dd/yyyy'), IN_SAO_PAULO],
	['2027/01/31', inFormat('yyyy/MM/dd'), IN_SAO_PAULO],
	['2027-1-31', inFormat('yyyy-M-dd'), IN_SAO_PAULO],
	['31/01/2027 09:05', inFormat('dd/MM/yyyy HH:mm'), WITH_TIME],
	['31/01/2027, 9:05:00', inFormat('dd/MM/yyyy, H:mm:ss'), WITH_TIME],
	['01/31/2027 09:05', inFormat('MM/dd/yyyy HH:mm'), WITH_TIME],
	[46418, EXCEL, IN_SAO_PAULO],
	['46418', EXCEL, IN_SAO_PAULO],
	[46418.5, EXCEL, '2027-01-31T15:00:00.000Z'],
];

const fixture = useService();

describe('a date that is not in ISO 8601', () => {
	const dateOf = async (expression: string, json: IDataObject) => {
		const until = { accessExpiration: 'date', expirationDate: `={{ ${expression} }}` };
		const { items, error } = await fixture.student('addToClass', until, { items: [json] });
		expect(error).toBeUndefined();
		return items[0]!.json.expirationDate;
	};
	const adviceFor = async (field: string, json: IDataObject) => {
		const parameters = { ...IN_FIELD, expirationField: field };
		const items = [{ email: 'a@example.com', ...json }];
		const { error } = await fixture.student('addManyToClass', parameters, { items });
		expect(fixture.service.requests).toEqual([]);
		expect(error?.message).toMatch(/^The field '.+' does not contain a date: ".+" \[item 0\]$/);
		return error?.description?.replace(' Nothing was sent.', '');
	};

	test.each(CONVERSIONS)('%p: the conversion is shown', async (value, expression, date) => {
		expect(await adviceFor('ends', { ends: value })).toBe(
			`Convert it before this node, for example in Edit Fields: {{ ${expression} }}.`,
		);
		expect(await dateOf(expression, { ends: value })).toBe(date);
		const expirationDate = `={{ ${JSON.stringify(value)} }}`;
		const parameters = { accessExpiration: 'date', expirationDate };
		const { error } = await fixture.student('addToClass', parameters);
		expect(error?.message).toBe(`'Expiration Date' is not a date: "${value}" [item 0]`);
		expect(error?.description).toBe(
			`Convert it with an expression: {{ ${expression.replace('$json.ends', '$json.date')} }}.`,
		);
	});

	test('whose day may be its month: the error shows both', async () =>
		expect(await adviceFor('ends', { ends: '04/03/2027' })).toBe(
			"Convert it before this node, for example in Edit Fields: {{ DateTime.fromFormat($json.ends, 'dd/MM/yyyy') }}, or with 'MM/dd/yyyy' if the month comes first.",
		));

	test.each([
		['fim_do_acesso', { fim_do_acesso: '31/01/2027' }, '$json.fim_do_acesso'],
		['Data de Validade', { 'Data de Validade': '31/01/2027' }, '$json["Data de Validade"]'],
		['validade', { ' validade': '31/01/2027' }, '$json[" validade"]'],
		['access.end date', { access: { 'end date': '31/01/2027' } }, '$json.access["end date"]'],
		['access.ends', { access: { ends: '31/01/2027' } }, '$json.access.ends'],
		['access.ends', { 'access.ends': '31/01/2027' }, '$json["access.ends"]'],
		['dates[0]', { dates: ['31/01/2027'] }, '$json.dates["0"]'],
	])('in the field %s: the expression finds it', async (field, json, source) => {
		const advice = await adviceFor(field, json);
		const [, expression] = /\{\{ (.+) \}\}/.exec(advice!)!;
		expect(expression).toBe(`DateTime.fromFormat(${source}, 'dd/MM/yyyy')`);
		expect(await dateOf(expression!, json)).toBe(IN_SAO_PAULO);
	});

	test.each([
		...['31/02/2027', '13/13/2027', '00/01/2027', '31/01/27', '31/01/2027 25:00', '1/2027', 'soon'],
		...[4641, 464180, 1_800_000_000],
	])('%p: no form fits, and the error shows an example', async (value) =>
		expect(await adviceFor('ends', { ends: value })).toBe(GENERIC),
	);
});

const fromJson = (students: object[]) => ({
	studentsFrom: 'json',
	studentsJson: JSON.stringify(students),
});

describe('the errors of rows', () => {
	const errorsOf = async (parameters: INodeParameters, items: IDataObject[] = [{}]) => {
		const options = { items, ...CONTINUE };
		const result = await fixture.student('addManyToClass', parameters, options);
		expect(fixture.service.requests).toEqual([]);
		return errorsIn(result);
	};

	test.each<[string, INodeParameters, string]>([
		['Email Field', { emailField: '={{ $json.email }}' }, 'ana@example.com'],
		['Email Field', { emailField: 'bia@example.com' }, 'bia@example.com'],
		['Name Field', { nameField: '={{ $json.name }}' }, 'Ana'],
		['Name Field', { nameField: '={{ $json.more.nick }}' }, 'Aninha'],
		['Name Field', { nameField: '={{ $json.more.number }}' }, '17'],
		['Expiration Field', { ...IN_FIELD, expirationField: '={{ $json.ends }}' }, '2027-01-31'],
	])('a value in place of the name of a field: %s, %j', async (field, parameters, value) => {
		const more = { nick: 'Aninha', number: 17 };
		const item = { email: 'ana@example.com', name: 'Ana', ends: '2027-01-31', more };
		const [error, ...others] = await errorsOf(parameters, [item]);
		expect(others).toEqual([]);
		expect(error).toContain(`'${field}' contains a value, not the name of a field: "${value}"`);
		expect(error).toMatch(
			/item 0.*Switch it from Expression to Fixed, and enter the name of a field\. Available fields: email, name, ends, more\.$/,
		);
	});

	test.each([
		[
			'E-mail;Nome;Validade',
			'The file seems to be separated by semicolons: set Delimiter to ; in Extract From File.',
		],
		['E-mail', 'Available fields: E-mail.'],
		// The file is separated by something else.
		['a;b,c', 'Available fields: a;b, c.'],
	])('where the only fields are %s', async (columns, advice) => {
		const item = Object.fromEntries(columns.split(',').map((column) => [column, 'a;b;31/12/2027']));
		expect(await errorsOf({}, [item])).toEqual([
			`'Email Field' is "email", but no input item has a field with that name [item 0]. ${advice}`,
		]);
	});

	test('name all that is wrong with an item', async () => {
		const items = [
			{ email: 'x', name: { first: 'Ana' }, ends: '31/01/2027', to: '..' },
			{ email: '', ends: 'soon', to: 'a' },
		];
		const classId = byId('={{ $json.to }}');
		const errors = await errorsOf({ ...IN_FIELD, classId, expirationField: 'ends' }, items);
		expect(errors).toEqual([
			'x was not sent (item 0): \'Class\' cannot be "..". The field \'email\' does not contain an email address: "x". The field \'name\' must be text, but is "{"first":"Ana"}". The field \'ends\' does not contain a date: "31/01/2027". ' +
				'Choose a class from the list, or enter its ID. Enter one plain address such as student@example.com. Provide one text value. ' +
				"Convert it before this node, for example in Edit Fields: {{ DateTime.fromFormat($json.ends, 'dd/MM/yyyy') }}.",
			"The field 'email' is empty. The field 'ends' does not contain a date: \"soon\" [item 1]. " +
				`Enter the student's email address, or check the expression. ${GENERIC}`,
		]);
	});

	test('name all that is wrong with a student in JSON, and the same advice once', async () => {
		const students = [{ email: 'x', name: [], expirationDate: 'soon' }, { email: 'y' }];
		const until = { accessExpiration: 'date', expirationDate: '={{ "soon" }}' };
		const errors = await errorsOf({ ...fromJson(students), ...until });
		expect(errors).toEqual([
			expect.stringMatching(
				/^x was not sent \(student 1 of item 0\): 'Students \(JSON\): email' is not an email address: "x"\. 'Students \(JSON\): name' must be text, but is "\[\]"\. 'Students \(JSON\): expirationDate' is not a date: "soon"\. /,
			),
			expect.stringMatching(
				/^y was not sent \(student 2 of item 0\): 'Students \(JSON\): email' is not an email address: "y"\. 'Expiration Date' is not a date: "soon"\. /,
			),
		]);
	});

	test('name the date in an unknown field together with the rest', async () => {
		const [error] = await errorsOf(fromJson([{ email: 'x', validade: '2027-01-31' }]));
		expect(error).toMatch(
			/^x was not sent .*'Students \(JSON\): email' is not .*: "x"\. 'Students \(JSON\)' has an unknown field "validade"\./,
		);
	});

	test('of one row do not change those of the next', async () => {
		const students = [{ email: 'x' }, { email: 'a@example.com' }, { email: 'x' }];
		const errors = await errorsOf({ ...fromJson(students), classId: byId('={{ null }}') });
		expect(errors[1]).toBe(
			"a@example.com was not sent (student 2 of item 0): 'Class' is empty. Choose a class from the list, or enter its ID.",
		);
		expect(errors[0]!.replace('student 1', 'student 3')).toBe(errors[2]);
	});
});
