import { CONTINUE, EMAIL_OF_ITEM, emailOf, rows, useService } from './fixture';
import { ADDITIONS } from './operations';

const fixture = useService();
const PAST = { accessExpiration: 'date', expirationDate: '2020-01-01' };
const hintFor = (students: string) =>
	`Access has already ended for ${students}: the expiration date is in the past.`;

test.each(ADDITIONS)('%s says for how many students access has ended', async (operation) => {
	const run = async (count: number, parameters = {}) => {
		const options = { items: rows(count), ...CONTINUE };
		return await fixture.student(operation, { ...EMAIL_OF_ITEM, ...parameters }, options);
	};

	const past = await run(2, PAST);
	expect(past.items).toHaveLength(2);
	expect(past.hints).toEqual([hintFor('2 students')]);
	expect((await run(1, PAST)).hints).toEqual([hintFor('1 student')]);
	expect((await run(2, { ...PAST, expirationDate: '2127-01-01' })).hints).toEqual([]);
	expect((await run(2)).hints).toEqual([]);
	// Who was not added does not count.
	fixture.service.temper = { rejectEmails: [emailOf(1)] };
	expect((await run(2, PAST)).hints).toEqual([hintFor('1 student')]);
});
