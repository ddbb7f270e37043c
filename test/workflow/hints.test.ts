import type { IDataObject } from 'n8n-workflow';
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

test.each(ADDITIONS)('%s points out that access never ends', async (operation) => {
	const hintsFor = async (json: IDataObject, parameters = {}) => {
		const items = rows(2).map((row) => ({ ...row, ...json }));
		const all = { ...EMAIL_OF_ITEM, ...parameters };
		return (await fixture.student(operation, all, { items })).hints;
	};
	for (const json of [{ 'Data de validade': '31/12/2020' }, { validUntil: '31/12/2127' }]) {
		const [name] = Object.keys(json);
		const hint = `Access never ends. To use the date in '${name}', change Access Expiration.`;
		expect(await hintsFor(json)).toEqual([hint]);
		expect(await hintsFor(json, { ...PAST, expirationDate: '2127-01-01' })).toEqual([]);
	}
	expect(await hintsFor({ born: '31/12/2020', title: 'End of the world', ends: '' })).toEqual([]);
	fixture.service.temper = { failWith: { status: 400 } };
	const failing = { items: [{ email: emailOf(0), ends: 'soon' }], ...CONTINUE };
	expect((await fixture.student(operation, EMAIL_OF_ITEM, failing)).hints).toEqual([]);
});

describe('the hint that access never ends', () => {
	const UNTIL = { validade: '31/12/2127' };
	const hint = "Access never ends. To use the date in 'validade', change Access Expiration.";
	const hintsFor = async (items: IDataObject[], parameters = {}) =>
		(await fixture.student('addManyToClass', parameters, { items, ...CONTINUE })).hints;

	test.each([
		[1, [hint]],
		[99, [hint]],
		[100, []],
	])('goes by the first 100 items: a date in item %i', async (index, hints) => {
		const items = rows(101).map((row, n) => (n === index ? { ...row, ...UNTIL } : row));
		expect(await hintsFor(items)).toEqual(hints);
	});
});
