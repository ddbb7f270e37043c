import { byId, EMAIL_OF_ITEM, PYTHON, rows, RUST, useService } from './fixture';

const fixture = useService();
const PAST = { accessExpiration: 'date', expirationDate: '2020-01-01' };
const hintFor = (students: string) =>
	`Access has already ended for ${students}: the expiration date is in the past.`;

test.each([
	['addToClass', { ...EMAIL_OF_ITEM, classId: byId(PYTHON.id) }],
	['addToClasses', { ...EMAIL_OF_ITEM, classIds: [PYTHON.id, RUST.id] }],
	['addManyToClass', { classId: byId(PYTHON.id) }],
])('%s says for how many students access has already ended', async (operation, parameters) => {
	const run = async (count: number, others = {}) =>
		await fixture.student(operation, { ...parameters, ...others }, { items: rows(count) });

	const past = await run(2, PAST);
	expect(past.items).toHaveLength(2);
	expect(past.hints).toEqual([hintFor('2 students')]);
	expect((await run(1, PAST)).hints).toEqual([hintFor('1 student')]);
	expect((await run(2, { ...PAST, expirationDate: '2127-01-01' })).hints).toEqual([]);
	expect((await run(2)).hints).toEqual([]);
});

test('students who were not added do not count', async () => {
	fixture.service.temper = { rejectEmails: ['student-1@example.com'] };
	const options = { items: rows(2), onError: 'continueErrorOutput' } as const;
	const { hints } = await fixture.student('addToClass', { ...EMAIL_OF_ITEM, ...PAST }, options);
	expect(hints).toEqual([hintFor('1 student')]);
});

test('an item that cannot be used says that nothing was sent', async () => {
	const items = [{ email: 'a@example.com' }, { email: '' }];
	const { error } = await fixture.student('addToClass', EMAIL_OF_ITEM, { items });
	expect(error?.message).toBe("'Email' is empty [item 1]");
	expect(error?.description).toMatch(/ Nothing was sent\.$/);
	expect(fixture.service.requests).toEqual([]);
});
