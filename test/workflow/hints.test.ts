import type { IDataObject } from 'n8n-workflow';
import { byId, CONTINUE, EMAIL_OF_ITEM, emailOf, PYTHON, rows, RUST, useService } from './fixture';
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
	// Two items about one student are one student.
	const [student] = rows(1);
	const twice = { items: [student!, student!], ...CONTINUE };
	const again = await fixture.student(operation, { ...EMAIL_OF_ITEM, ...PAST }, twice);
	expect(again.hints).toEqual([hintFor('1 student')]);
	// Who was not added does not count.
	fixture.service.temper = { rejectEmails: [emailOf(1)] };
	expect((await run(2, PAST)).hints).toEqual([hintFor('1 student')]);
});

const neverEnds = expect.stringMatching(/^Access never ends for 1 student,/) as string;

test.each(ADDITIONS)(
	'%s says that access never ends of whom the input has an expiration date',
	async (operation) => {
		const until = { accessExpiration: 'date', expirationDate: '2127-01-01' };
		const dated = { email: emailOf(0), expirationDate: '2127-01-01' };
		const blank = { email: emailOf(1), expirationDate: '' };
		const without = { email: emailOf(2) };
		const hintsOf = async (items: IDataObject[], parameters = {}) => {
			const options = { items, ...CONTINUE };
			const student = { ...EMAIL_OF_ITEM, ...parameters };
			return (await fixture.student(operation, student, options)).hints;
		};

		expect(await hintsOf([dated, blank, without])).toEqual([neverEnds]);
		expect(await hintsOf([blank, without])).toEqual([]);
		expect(await hintsOf([dated, blank], until)).toEqual([]);
		// Who was not added does not count.
		fixture.service.temper = { rejectEmails: [emailOf(0)] };
		expect(await hintsOf([dated, without])).toEqual([]);
	},
);

test('Add Many says it if a later item without a date replaces one with a date', async () => {
	const email = emailOf(0);
	const items = ['2127-01-01', ''].map((expirationDate) => ({ email, expirationDate }));
	const fromInput = { ...EMAIL_OF_ITEM, accessExpiration: 'field' };
	const { hints } = await fixture.student('addManyToClass', fromInput, { items });
	expect(hints).toEqual([neverEnds]);
});

test('more than ten students in one class bring the hint to use Add Many', async () => {
	const hintsOf = async (count: number, parameters = {}) =>
		await fixture.student(
			'addToClass',
			{ ...EMAIL_OF_ITEM, ...parameters },
			{ items: rows(count), onError: 'continueRegularOutput' },
		);
	const inTwoClasses = { classId: byId(`={{ $itemIndex ? "${PYTHON.id}" : "${RUST.id}" }}`) };

	const useAddMany = expect.stringContaining("'Add Many to Class'") as string;
	expect((await hintsOf(11)).hints).toEqual([useAddMany]);
	expect((await hintsOf(10)).hints).toEqual([]);
	expect((await hintsOf(11, inTwoClasses)).hints).toEqual([]);
	fixture.service.temper = { rejectEmails: [emailOf(3)] };
	expect((await hintsOf(11)).hints).toEqual([]);
	expect((await hintsOf(12)).hints).toEqual([useAddMany]);
	fixture.service.temper = { failWith: { status: 400 } };
	expect((await hintsOf(11)).hints).toEqual([]);
});
