import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { CONTINUE, emailOf, errorsOf, indexes, linkOf, studentsIn, useService } from './fixture';

const BOM = '\uFEFF';
const COMPOSED = 'prénom'.normalize('NFC');
const DECOMPOSED = 'prénom'.normalize('NFD');
const A = 'a@example.com';
const B = 'b@example.com';
const FUTURE = '2127-01-31';
const DATED = { email: 'a@example.com', expirationDate: '2027-01-31T00:00:00.000Z' };

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
		which                                      | parameters                                                                    | items                                                                       | sent
		${'a byte order mark in the file'}         | ${{}}                                                                         | ${[{ [`${BOM}email`]: A }]}                                                 | ${[{ email: A }]}
		${'a byte order mark in the parameter'}    | ${{ emailField: `${BOM}email` }}                                              | ${[{ email: A }]}                                                           | ${[{ email: A }]}
		${'both, as when the field is dragged in'} | ${{ emailField: `${BOM}email` }}                                              | ${[{ [`${BOM}email`]: A }]}                                                 | ${[{ email: A }]}
		${'blanks in the file'}                    | ${{}}                                                                         | ${[{ ' email ': A }]}                                                       | ${[{ email: A }]}
		${'blanks in the parameter'}               | ${{ emailField: ' email ' }}                                                  | ${[{ email: A }]}                                                           | ${[{ email: A }]}
		${'other blanks on either side'}           | ${{ emailField: 'email\t' }}                                                  | ${[{ '  email': A }]}                                                       | ${[{ email: A }]}
		${'its own form of the name in each item'} | ${{}}                                                                         | ${[{ ' email': A }, { 'email ': B }]}                                       | ${[{ email: A }, { email: B }]}
		${'another Unicode form in the file'}      | ${{ emailField: COMPOSED }}                                                   | ${[{ [DECOMPOSED]: A }]}                                                    | ${[{ email: A }]}
		${'another Unicode form in the parameter'} | ${{ emailField: DECOMPOSED }}                                                 | ${[{ [COMPOSED]: A }]}                                                      | ${[{ email: A }]}
		${'a name that looks like a path'}         | ${{ emailField: 'user.email' }}                                               | ${[{ 'user.email': A }]}                                                    | ${[{ email: A }]}
		${'the same with a byte order mark'}       | ${{ emailField: 'user.email' }}                                               | ${[{ [`${BOM}user.email`]: A }]}                                            | ${[{ email: A }]}
		${'the name of a number'}                  | ${{ emailField: '2027' }}                                                     | ${[{ 2027: A }]}                                                            | ${[{ email: A }]}
		${'the exact name among others'}           | ${{}}                                                                         | ${[{ email: A, 'email ': B }]}                                              | ${[{ email: A }]}
		${'the exact name with a blank'}           | ${{ emailField: 'email ' }}                                                   | ${[{ email: A, 'email ': B }]}                                              | ${[{ email: B }]}
		${'forms of the names of all fields'}      | ${{ nameField: 'Nome ', accessExpiration: 'field', expirationField: 'ends' }} | ${[{ email: A, ' Nome': 'A', [`${BOM}ends`]: FUTURE }]}                     | ${[{ email: A, name: 'A', expirationDate: '2127-01-31T03:00:00.000Z' }]}
		${'a path through lists'}                  | ${{ emailField: 'people[0].emails.1' }}                                       | ${[{ people: [{ emails: ['x', A] }] }, { people: [{ emails: ['x', B] }] }]} | ${[{ email: A }, { email: B }]}
		${'no name field'}                         | ${{ nameField: '' }}                                                          | ${[{ email: A, name: 'A' }]}                                                | ${[{ email: A }]}
		${'no field with the default name'}        | ${{}}                                                                         | ${[{ email: A }]}                                                           | ${[{ email: A }]}
		${'a name in some items'}                  | ${{ nameField: 'nome' }}                                                      | ${[{ email: A }, { email: B, nome: 'B' }]}                                  | ${[{ email: A }, { email: B, name: 'B' }]}
	`('$which', async ({ parameters, items, sent: expected }: Found) => {
		await addMany(parameters, items);
		expect(sent()).toEqual(expected);
	});

	test('a path may have blanks around it, and need not lead somewhere in every item', async () => {
		const items = [{ user: {} }, { user: { email: 'a@example.com' } }];
		const result = await addMany({ emailField: ' user.email ' }, items);
		expect(sent()).toEqual([{ email: 'a@example.com' }]);
		const empty = expect.stringContaining("The field 'user.email' is empty [item 0]") as string;
		expect(errorsOf(result)).toEqual([empty]);
		expect(result.errorItems[0]!.json).toMatchObject(items[0]!);
	});

	const INHERITED =
		'constructor,constructor.name,toString,__proto__,email.length,email.0,tags.length';
	test.each(INHERITED.split(','))('%s is no field of an item', async (field) => {
		const items = [{ email: A, tags: ['x'], user: { email: A } }];
		for (const name of ['emailField', 'nameField', 'expirationField']) {
			for (const path of [field, `user.${field}`]) {
				const result = await addMany({ accessExpiration: 'field', [name]: path }, items);
				expect(errorsOf(result)).toEqual([
					expect.stringContaining(`is "${path}", but no input item has a field with that name`),
				]);
			}
		}
		expect(sent()).toEqual([]);
	});

	test('several fields that could be meant are an error, not a guess', async () => {
		const items = [{ ' email': 'a@example.com', 'email ': 'b@example.com' }];
		expect(errorsOf(await addMany({}, items))[0]).toMatch(
			/^'Email Field' is "email", but several fields match this name \[item 0\]\. /,
		);
		expect(sent()).toEqual([]);
	});

	const manyFields = indexes(99).map((n) => `field-${n}`);
	test.each<[IDataObject[], string]>([
		[[{}], 'The items have no fields.'],
		[[{ a: 1 }, { b: 2 }, { a: 3 }], 'Available fields: a, b.'],
		[
			[Object.fromEntries(manyFields.map((name) => [name, 1]))],
			`Available fields: ${manyFields.join(', ').slice(0, 200)}.`,
		],
	])('where no item has a field, the error says once which there are', async (items, advice) => {
		const { error } = await fixture.student('addManyToClass', {}, { items });
		expect(error?.message).toContain('no input item has a field with that name [item 0]');
		expect(error?.description).toBe(items.length > 1 ? `${advice} Nothing was sent.` : advice);
	});
});

/** Columns that contain a date of access, in English, Portuguese and Spanish, or one in the future. */
const COLUMNS: Array<[column: string, value: string]> = [
	...[
		'validUntil,valid_to,until,Expires,expiry,validade,Data de Validade,validez,vencimento',
		'Vencimiento,vence_em,expira,caduca,fecha_caducidad,vigencia,Vigência,vige\u0302ncia,hasta',
		'fechaHasta,até,ate,Ate\u0301,acesso_até,acessoAté,válido até,ends,endDate,access_end,término',
		'validoAte,Data de vencimento,valid_until,fecha_fin,expires,valid-to,EXPIRES_AT,enddate,End of access',
		'fechaVencimiento,data-fim,dataFIM,VÁLIDO_ATÉ,caducidad del acceso,Expiry (UTC),ended at,validity',
		'deadline,due_date,dueDate,prazo,Data limite,fecha_limite,encerraEm,encerramento,exp,exp_date',
	]
		.flatMap((columns) => columns.split(','))
		.flatMap((column): Array<[string, string]> => [
			[column, '2020-01-31'],
			[column, '31/01/2020'],
		]),
	['fim', FUTURE],
	['fim', `${FUTURE}T10:20:30Z`],
	['fim', '31/01/2127'],
	['fim', '31.01.2127 10:20'],
	['date', `${FUTURE} 10:20`],
	['accessEnds', FUTURE],
	['endDate', FUTURE],
	['ExpirationDate', FUTURE],
];
/** Objects that contain such a date, and where. */
const DEEP: Array<[where: string, fields: IDataObject]> = [
	['access.endsAt', { access: { from: '2020-01-01', endsAt: '2020-01-31' } }],
	['order.date', { order: { date: FUTURE } }],
];
const UNRELATED = {
	created_at: '2020-01-31T00:00:00Z',
	birthday: '1990-01-31',
	nascimento: '31/01/1990',
	data: '31/01/2020',
	state: 'late',
	matéria: 'Python',
	validToken: 'yes',
	attendedAt: '2020-01-31',
	weekend: 'yes',
	email_valid: true,
	phone: '2127013100',
	course: 'private',
	count: 99999,
	nothing: null,
	list: ['2127-01-31'],
	constructor: 'x',
	provenceRegion: 'Sul',
	invalidez: 'não',
	vencedora: 'sim',
	respiração: 'normal',
	subvención: '2020',
	endUser: 'Ana',
	frontEnd: 'React',
	confim: 'x',
	templates: '3',
	有效期: '2020-01-31',
	expires: null,
	validade: ' ',
	expired: false,
	'fim de semana': 'sim',
	finDeSemana: '2',
	overdue: 'no',
	experience: 5,
	user: { course: 'private', birthday: '1990-01-31', validade: null, deeper: { expires: 'soon' } },
};

describe('a student whose date is in another column is not enrolled for life', () => {
	const students = COLUMNS.map(([column, value], n) => ({ email: emailOf(n), [column]: value }));

	test('from the input', async () => {
		const result = await addMany({ accessExpiration: 'field' }, [DATED, ...students]);
		expect(sent()).toEqual([DATED]);
		expect(errorsOf(result)).toEqual(
			COLUMNS.map(
				([column], n) =>
					`${emailOf(n)} was not sent (item ${n + 1}): 'Expiration Field' is "expirationDate", but this item has "${column}" instead. Give the field the same name in all items. For access that never ends, add the field without a value.`,
			),
		);
	});

	test('in JSON, also where an earlier node returned it as a date', async () => {
		const studentsJson = JSON.stringify([DATED, ...students]);
		const result = await addMany({ studentsFrom: 'json', studentsJson });
		expect(sent()).toEqual([DATED]);
		expect(errorsOf(result)).toEqual(
			COLUMNS.map(([column]) => expect.stringContaining(`has an unknown field "${column}"`)),
		);
		for (const when of ['DateTime.utc(2127)', 'new Date("2127")', '"2127-01-31 at noon"']) {
			const ahead = `={{ [{ email: "b@example.com", when: ${when} }] }}`;
			const { errorItems } = await addMany({ studentsFrom: 'json', studentsJson: ahead });
			expect(errorItems[0]!.json.error).toContain('has an unknown field "when"');
		}
		for (const [where, fields] of DEEP) {
			const json = JSON.stringify([{ email: 'b@example.com', ...fields }]);
			const { errorItems } = await addMany({ studentsFrom: 'json', studentsJson: json });
			expect(errorItems[0]!.json.error).toContain(`has an unknown field "${where}"`);
		}
		const past = '={{ [{ email: "a@example.com", when: new Date("2020") }] }}';
		await addMany({ studentsFrom: 'json', studentsJson: past });
		expect(sent()).toEqual([DATED, { email: 'a@example.com' }]);
	});

	test('also where the date is still in this year, under a name that says nothing', async () => {
		const ahead = ['31/12/2026', '12/31/2026', '2026-12-31', '31.12.2026 10:20', '2/12/2026'];
		const rows = ['30/11/2026', ...ahead].map((data, n) => ({ email: emailOf(n), data }));
		const now = jest.spyOn(Date, 'now').mockReturnValue(Date.parse('2026-12-01T15:00:00Z'));
		const result = await addMany({ accessExpiration: 'field' }, [DATED, ...rows]);
		now.mockRestore();
		expect(sent()).toEqual([DATED, { email: emailOf(0) }]);
		expect(errorsOf(result)).toEqual(
			ahead.map(() => expect.stringContaining('but this item has "data" instead')),
		);
	});

	test('but other columns do not matter', async () => {
		await addMany({ accessExpiration: 'field' }, [DATED, { email: 'b@example.com', ...UNRELATED }]);
		const studentsJson = JSON.stringify([{ email: 'c@example.com', ...UNRELATED }]);
		await addMany({ studentsFrom: 'json', studentsJson });
		expect(sent()).toEqual([DATED, { email: 'b@example.com' }, { email: 'c@example.com' }]);
	});

	test('nor does one where the item has the field, or the choice needs none', async () => {
		const order = { deliveryDate: FUTURE, validade: FUTURE };
		const items = [DATED, { ...DATED, expirationDate: '' }, { ...DATED, expirationDate: null }];
		const { items: added } = await addMany(
			{ accessExpiration: 'field' },
			items.map((item, n) => ({ ...item, ...order, email: emailOf(n) })),
		);
		expect(added.map(linkOf)).toEqual([0, 1, 2]);
		expect(sent().map(({ expirationDate }) => expirationDate)).toEqual([
			DATED.expirationDate,
			undefined,
			undefined,
		]);
		for (const accessExpiration of ['none', 'duration']) {
			const { error, items: output } = await addMany({ accessExpiration }, [
				{ ...DATED, ...order },
			]);
			expect([error, output.length]).toEqual([undefined, 1]);
		}
	});

	test('nor does one in JSON where access ends anyway', async () => {
		const order = { nextPayment: FUTURE, validade: FUTURE };
		const dated = JSON.stringify([{ ...DATED, ...order }]);
		await addMany({ studentsFrom: 'json', studentsJson: dated });
		const undated = JSON.stringify([{ email: 'b@example.com', expirationDate: null, ...order }]);
		const onDate = { accessExpiration: 'date', expirationDate: DATED.expirationDate };
		await addMany({ studentsFrom: 'json', studentsJson: undated, ...onDate });
		expect(sent()).toEqual([DATED, { ...DATED, email: 'b@example.com' }]);
		const result = await addMany({ studentsFrom: 'json', studentsJson: undated });
		expect(errorsOf(result)).toEqual([
			expect.stringContaining('has an unknown field "nextPayment"'),
		]);
	});
});
