import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, emailOf, jsonOf, PYTHON, rows, RUST, useService } from './fixture';

const FUTURE = '2127-01-31';
const DATED = { email: 'a@example.com', expirationDate: '2027-01-31T00:00:00Z' };

describe('Add Many', () => {
	const fixture = useService();
	const addMany = async (parameters: INodeParameters, items: IDataObject[] = [{}]) =>
		await fixture.student('addManyToClass', parameters, { items, onError: 'continueErrorOutput' });
	const sent = () =>
		fixture.service.requests.flatMap(({ body }) => (body as { students: IDataObject[] }).students);

	describe('does not enroll for life a student whose date is in another column', () => {
		const COLUMNS: Array<[column: string, value: unknown]> = [
			...[
				'validUntil',
				'valid_to',
				'until',
				'Expires',
				'expiry',
				'validade',
				'Data de Validade',
				'validez',
				'vencimento',
				'Vencimiento',
				'vence_em',
				'expira',
				'caduca',
				'fecha_caducidad',
				'vigencia',
				'Vigência',
				'vige\u0302ncia',
				'hasta',
				'fechaHasta',
				'até',
				'ate',
				'Ate\u0301',
				'acesso_até',
				'acessoAté',
				'válido até',
			].flatMap((column): Array<[string, unknown]> => [
				[column, '2020-01-31'],
				[column, '31/01/2020'],
			]),
			['fim', FUTURE],
			['fim', `${FUTURE}T10:20:30Z`],
			['fim', '31/01/2127'],
			['fim', '31.01.2127 10:20'],
			['date', `${FUTURE} 10:20`],
		];

		test.each(COLUMNS)('from the input: %s, %s', async (column, value) => {
			const items = [DATED, { email: 'b@example.com', [column]: value } as IDataObject];
			const { errorItems } = await addMany({ accessExpiration: 'field' }, items);
			expect(sent()).toEqual([{ ...DATED, expirationDate: '2027-01-31T00:00:00.000Z' }]);
			expect(errorItems[0]!.json.error).toBe(
				`b@example.com was not added (item 1): 'Expiration Field' is "expirationDate", but this item has "${column}" instead. Give the field the same name in all items. For access that never ends, add the field without a value.`,
			);
		});

		test.each(COLUMNS)('in JSON: %s, %s', async (column, value) => {
			const students = [DATED, { email: 'b@example.com', [column]: value }];
			const studentsJson = JSON.stringify(students);
			const { errorItems } = await addMany({ studentsFrom: 'json', studentsJson });
			expect(sent()).toEqual([{ ...DATED, expirationDate: '2027-01-31T00:00:00.000Z' }]);
			expect(errorItems[0]!.json.error).toContain(`has an unknown field "${column}"`);
		});

		test('also where an earlier node returned it as a date', async () => {
			const students = `={{ [{ email: "b@example.com", ends: DateTime.utc(2127, 1, 31) }] }}`;
			const { errorItems } = await addMany({ studentsFrom: 'json', studentsJson: students });
			expect(fixture.service.requests).toEqual([]);
			expect(errorItems[0]!.json.error).toContain('has an unknown field "ends"');
		});
	});

	const UNRELATED = {
		created_at: '2020-01-31T00:00:00Z',
		birthday: '1990-01-31',
		nascimento: '31/01/1990',
		data: '31/01/2020',
		state: 'late',
		matéria: 'Python',
		validToken: 'yes',
		email_valid: true,
		phone: '2127013100',
		course: 'private',
		count: 99999,
		nothing: null,
		list: ['2127-01-31'],
		constructor: 'x',
	};

	test('other columns do not matter', async () => {
		await addMany({ accessExpiration: 'field' }, [DATED, { email: 'b@example.com', ...UNRELATED }]);
		const studentsJson = JSON.stringify([{ email: 'c@example.com', ...UNRELATED }]);
		await addMany({ studentsFrom: 'json', studentsJson });
		expect(sent().map(({ email, expirationDate }) => [email, expirationDate])).toEqual([
			['a@example.com', '2027-01-31T00:00:00.000Z'],
			['b@example.com', undefined],
			['c@example.com', undefined],
		]);
	});

	test('other columns do not matter where the item has the field, or the choice needs none', async () => {
		const order = { deliveryDate: FUTURE, validade: FUTURE };
		await addMany({ accessExpiration: 'field' }, [
			{ ...DATED, ...order },
			{ email: 'b@example.com', expirationDate: '', ...order },
			{ email: 'c@example.com', expirationDate: null, ...order },
		]);
		await addMany({}, [{ email: 'd@example.com', ...order }]);
		await addMany({ accessExpiration: 'duration' }, [{ email: 'e@example.com', ...order }]);
		expect(sent().map(({ email }) => email)).toEqual(
			['a', 'b', 'c', 'd', 'e'].map((name) => `${name}@example.com`),
		);
	});

	describe('evaluates once per item', () => {
		const students = JSON.stringify(rows(60));

		test('the class', async () => {
			// Each evaluation chooses anew.
			const classId = byId(`={{ Math.random() < 0.5 ? "${PYTHON.id}" : "${RUST.id}" }}`);
			const { items } = await addMany({ classId, studentsFrom: 'json', studentsJson: students });
			expect(items).toHaveLength(60);
			expect(new Set(jsonOf(items).map((json) => json.classId)).size).toBe(1);
		});

		test('the date', async () => {
			const expirationDate = '={{ DateTime.fromMillis(2e12 * (1 + Math.random())) }}';
			const parameters = { studentsFrom: 'json', accessExpiration: 'date', expirationDate };
			const { items } = await addMany({ ...parameters, studentsJson: students });
			expect(items).toHaveLength(60);
			expect(new Set(jsonOf(items).map((json) => json.expirationDate)).size).toBe(1);
		});

		test('but the class and the date of each item', async () => {
			const items = [
				{ to: PYTHON.id, end: '2027-01-31T00:00:00.000Z', students: rows(2) },
				{ to: RUST.id, end: '2027-02-28T00:00:00.000Z', students: rows(2) },
			];
			const { items: output } = await addMany(
				{
					classId: byId('={{ $json.to }}'),
					studentsFrom: 'json',
					studentsJson: '={{ $json.students }}',
					accessExpiration: 'date',
					expirationDate: '={{ $json.end }}',
				},
				items,
			);
			expect(
				jsonOf(output).map(({ classId, expirationDate }) => [classId, expirationDate]),
			).toEqual([0, 0, 1, 1].map((n) => [items[n]!.to, items[n]!.end]));
		});

		test('a value that cannot be used fails each student, and one with a date of its own needs none', async () => {
			const { items, errorItems } = await addMany({
				studentsFrom: 'json',
				studentsJson: JSON.stringify([...rows(2), { ...DATED }]),
				accessExpiration: 'date',
				expirationDate: '={{ null }}',
			});
			expect(jsonOf(items)).toEqual([expect.objectContaining({ email: 'a@example.com' })]);
			expect(jsonOf(errorItems).map(({ error }) => error)).toEqual(
				[0, 1].map((n) =>
					expect.stringMatching(
						`^${emailOf(n)} was not added \\(student ${n + 1} of item 0\\): .* is empty`,
					),
				),
			);
			const failed = await addMany({
				studentsFrom: 'json',
				studentsJson: students,
				classId: byId('={{ null }}'),
			});
			expect(jsonOf(failed.errorItems)).toHaveLength(60);
			expect(failed.errorItems[59]!.json.error).toContain(
				"(student 60 of item 0): 'Class' is empty",
			);
		});
	});
});

describe('class IDs that objects inherit', () => {
	const fixture = useService();
	const IDS = ['constructor', '__proto__', 'toString'];

	test.each(['addToClass', 'addManyToClass', 'removeFromClass'])(
		'%s counts them like others',
		async (operation) => {
			for (const id of IDS) fixture.service.classes.addClass({ id, name: id });
			const items = IDS.map((to, n) => ({ to, email: emailOf(n) }));
			if (operation === 'removeFromClass') {
				items.forEach(({ to, email }) => fixture.service.classes.enroll([to], [{ email }]));
			}
			const { items: output, error } = await fixture.student(
				operation,
				{ classId: byId('={{ $json.to }}'), email: '={{ $json.email }}' },
				{ items },
			);
			expect(error).toBeUndefined();
			expect(jsonOf(output).map(({ classId, email }) => [classId, email])).toEqual(
				items.map(({ to, email }) => [to, email]),
			);
			for (const { to, email } of items) {
				const enrolled = operation === 'removeFromClass' ? [] : [{ email }];
				expect(fixture.service.classes.studentsOf(to)).toEqual(enrolled);
			}
		},
	);

	test.each(['addToClasses', 'removeFromClasses'])(
		'%s counts them like others',
		async (operation) => {
			for (const id of IDS) fixture.service.classes.addClass({ id, name: id });
			fixture.service.classes.enroll(IDS, [{ email: 'student@example.com' }]);
			const { items, error } = await fixture.student(operation, { classIds: IDS });
			expect(error).toBeUndefined();
			expect(items[0]!.json.classIds).toEqual(IDS);
		},
	);
});
