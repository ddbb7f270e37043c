import type { IDataObject } from 'n8n-workflow';
import { emailsIn, emailsOf, PYTHON, useService } from './fixture';
import { ADDITIONS } from './operations';

const TYPED = 'Ana@Example.com';
const OTHERWISE = 'ana@example.com';
const BY_ITEM = { email: '={{ $json.email }}' };

const fixture = useService();
// Then a spelling that is not the one that was sent is somebody else.
beforeEach(() => void (fixture.service.temper = { distinguishesCase: true }));

const inPython = () => fixture.service.classes.studentsOf(PYTHON.id).map(({ email }) => email);
const run = async (operation: string, ...emails: string[]) => {
	const items = emails.map((email) => ({ email }));
	return await fixture.student(operation, BY_ITEM, { items });
};
/** Removes the students of an output, and sends them links. */
async function goOnWith(items: Array<{ json: IDataObject }>) {
	const emails = emailsOf(items).map(String);
	const removed = await run('removeFromClass', ...emails);
	await run('sendMagicLink', emails[0]!);
	return removed.error;
}

describe.each(ADDITIONS)('%s', (operation) => {
	test('sends an address as it was typed, so that its output removes and links the same one', async () => {
		const { items } = await run(operation, ` ${TYPED} `);
		expect(inPython()).toContain(TYPED);
		expect(await goOnWith(items)).toBeUndefined();
		expect(inPython()).not.toContain(TYPED);
		expect(fixture.service.magicLinks).toEqual([{ email: TYPED }]);
	});

	test('takes two spellings for one student, and returns the one that was sent', async () => {
		const { items } = await run(operation, OTHERWISE, TYPED);
		expect(emailsIn(fixture.service.requests)).toEqual([TYPED]);
		expect(emailsOf(items)).toEqual([TYPED, TYPED]);
		expect(await goOnWith(items)).toBeUndefined();
	});
});
