import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { byId, CONTINUE, errorsOf as errorsIn, rows, useService } from './fixture';

const IN_FIELD = { accessExpiration: 'field' };

const fixture = useService();

test('a date that is not in ISO 8601, and how to convert it', async () => {
	const items = [{ email: 'a@example.com', date: '31/12/2027' }];
	const parameters = { ...IN_FIELD, expirationField: 'date' };
	const { error } = await fixture.student('addManyToClass', parameters, { items });
	expect(fixture.service.requests).toEqual([]);
	expect(error?.message).toBe(`'Expiration Field: date' is not a date: "31/12/2027" [item 0]`);
	const [expression] = /\{\{.*?\}\}/.exec(error!.description!)!;
	const until = { accessExpiration: 'date', expirationDate: `=${expression}` };
	expect((await fixture.student('addToClass', until, { items })).error).toBeUndefined();
});

const fromJson = (students: unknown) => ({
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
		['Name Field', { nameField: '={{ $json.name }}' }, 'Ana'],
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

	test('begin with the address without the blanks around it', async () => {
		const students = [{ email: ' a@example.com ', expirationDate: 'soon' }];
		expect((await errorsOf(fromJson(students)))[0]).toMatch(/^a@example\.com: rejected: /);
	});

	test('of one row do not change those of the next', async () => {
		const students = [{ email: 'x' }, { email: 'a@example.com' }, { email: 'x' }];
		const errors = await errorsOf({ ...fromJson(students), classId: byId('={{ null }}') });
		expect(errors[1]).toBe(
			"a@example.com: rejected: 'Class' is empty [student 2 of item 0]. Choose a class from the list, or enter its ID.",
		);
		expect(errors[0]!.replace('student 1', 'student 3')).toBe(errors[2]);
	});
});

test('a class ID that is a number is in the error item, too', async () => {
	fixture.service.temper = { failWith: { status: 400 } };
	const options = { items: [{ id: 12 }], onError: 'continueRegularOutput' as const };
	const { items } = await fixture.student(
		'addToClass',
		{ classId: byId('={{ $json.id }}') },
		options,
	);
	expect(items[0]!.json).toMatchObject({ classId: 12, outcome: 'rejected' });
});

test('an option of all items that is wrong is said once', async () => {
	const parameters = { requestOptions: { timeout: 0 } };
	const { error } = await fixture.student('addToClass', parameters, { items: rows(3) });
	expect(error?.message).toContain("'Timeout'");
	expect(error?.description).not.toContain('Also invalid');
});

test('all wrong values of an item are named at once', async () => {
	const fromInput = { accessExpiration: 'field', expirationField: 'ends' };
	const classId = { __rl: true, mode: 'id', value: '={{ $json.to }}' };
	const items = [{ email: 'x', name: { first: 'Ana' }, ends: '31/01/2027', to: '..' }];
	const options = { items, ...CONTINUE };
	const many = await fixture.student('addManyToClass', { ...fromInput, classId }, options);
	expect(errorsIn(many)).toEqual([
		expect.stringMatching(
			/^x: rejected: 'Class' must be a class ID, but is "\.\."\. 'Email Field: email' is not an email address: "x"\. 'Name Field: name' must be text, but is "{"first":"Ana"}"\. 'Expiration Field: ends' is not a date: "31\/01\/2027" \[item 0\]\. /,
		),
	]);
	const link = await fixture.student('sendMagicLink', { email: 'x', redirectUrl: '/welcome' });
	expect(link.error?.message).toBe(
		`'Email' is not an email address: "x". 'Redirect URL' is not a valid URL: "/welcome" [item 0]`,
	);
	const list = await fixture.classes({ limit: 0, options: { pageSize: -1, page: 0.5 } });
	expect(list.error?.message).toMatch(/'Page Size' .*'Limit' .*'Page' /);
	expect(fixture.service.requests).toEqual([]);
});
