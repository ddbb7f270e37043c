import { DateTime } from 'luxon';

import { launchChromium } from '../test/e2e/chromium';
import { fillForm } from '../test/n8n/requests';
import { createCredential, publishWorkflow } from '../test/n8n/workflows';
import { importExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import { CORRECT, END, GIVE, LINK } from './byHand/form';

const NO_LINK = 'No magic link was sent. To send one, choose "Send a new link".';
const LOGIN = { user: 'operator', password: 'form-password' };
const AUTHORIZATION = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
const PATH = 'class-enrollment-by-hand';
const CLASS = 'class-python';
const OPTION = `Python (${CLASS})`;
const STUDENT = 'ana@example.com';
const MISTYPED = 'ana@exmaple.com';
/** n8n's default. */
const ZONE = 'America/New_York';
const END_OF_YEAR = '2099-12-31T23:59:59.999';

const world = useWorld(startWorld);

beforeAll(async () => {
	world.service.classes.addClass({ id: CLASS, name: 'Python' });
	const httpBasicAuth = await createCredential(world.session, 'httpBasicAuth', 'Form', LOGIN);
	const workflow = await importExample(world, 'by-hand', { credentials: { httpBasicAuth } });
	await publishWorkflow(world.session, workflow);
});

beforeEach(() => {
	for (const { email } of students()) world.service.classes.remove([CLASS], email);
	world.service.classes.enroll([CLASS], [{ email: MISTYPED }]);
});

const students = () => world.service.classes.studentsOf(CLASS);

/** Fills in the form, and returns the text of the last page. */
async function submit(email: string, action: string, ...details: string[]): Promise<string> {
	const headers = { authorization: AUTHORIZATION };
	const page = await fillForm(world.session, PATH, [[email, action], details], headers);
	const [, title, message] = /<h1>(.*)<\/h1>\s*<p[^>]*>([^<]*?)\s*<a /.exec(page) ?? [];
	return `${title}: ${message}`.replaceAll('&#x27;', "'");
}

it('requires the password', async () => {
	expect((await fetch(`${world.session.url}/form/${PATH}`)).status).toBe(401);
});

it('gives access until the end of a day', async () => {
	const said = await submit(` ${STUDENT}`, GIVE, 'Ana', OPTION, '2099-12-31');
	expect(said).toBe(
		`Added: ana@example.com has access to Python until the end of 31 December 2099. ${NO_LINK}`,
	);
	const expirationDate = DateTime.fromISO(END_OF_YEAR, { zone: ZONE }).toUTC().toISO();
	expect(students().at(-1)).toEqual({ email: STUDENT, name: 'Ana', expirationDate });
});

it('gives no access until a day that is over', async () => {
	const said = await submit(STUDENT, GIVE, '', OPTION, '2020-01-31');
	expect(said).toContain('Nothing was done: 2020-01-31 is over.');
	expect(students()).toHaveLength(1);
});

it('ends access, and says so of somebody who has none', async () => {
	expect(await submit(MISTYPED, END, OPTION)).toBe(
		'Removed: ana@exmaple.com no longer has access to Python.',
	);
	expect(students()).toEqual([]);
	expect(await submit(MISTYPED, END, OPTION)).toMatch(/^Rejected: Rejected by the service/);
});

it('sends a new link', async () => {
	expect(await submit(STUDENT, LINK)).toBe(
		'Sent: If a student has the address ana@example.com, a magic link is on its way. It works for 24 hours.',
	);
	expect(world.service.magicLinks.at(-1)).toEqual({ email: STUDENT });
});

it('corrects an address', async () => {
	const said = await submit(MISTYPED, CORRECT, STUDENT, 'Ana', OPTION, '2099-12-31');
	expect(said).toBe(
		`Corrected: ana@example.com has access to Python until the end of 31 December 2099. ana@exmaple.com no longer has access to it. ${NO_LINK}`,
	);
	expect(students().map(({ email }) => email)).toEqual([STUDENT]);
});

it('keeps the old address when the new one cannot be added', async () => {
	world.service.temper = { rejectEmails: [STUDENT] };
	const said = await submit(MISTYPED, CORRECT, STUDENT, 'Ana', OPTION, '2099-12-31');
	expect(said).toMatch(/^Rejected: .* ana@exmaple\.com wasn't touched\.$/);
	expect(students().map(({ email }) => email)).toEqual([MISTYPED]);

	world.service.temper = { drop: { when: 'after', only: ({ method }) => method === 'POST' } };
	expect(await submit(MISTYPED, CORRECT, STUDENT, 'Ana', OPTION, '2099-12-31')).toMatch(
		/^Unknown if added: .* ana@exmaple\.com wasn't touched\.$/,
	);
	expect(students()).toHaveLength(2);
});

it('says that the old address is left when it cannot be removed', async () => {
	world.service.temper = { rejectEmails: [MISTYPED] };
	expect(await submit(MISTYPED, CORRECT, STUDENT, 'Ana', OPTION, '2099-12-31')).toMatch(
		/^Half done: the old address is rejected: ana@example\.com has access .* But ana@exmaple\.com: /,
	);
	expect(students()).toHaveLength(2);
});

describe('where the classes cannot be listed', () => {
	beforeEach(() => {
		const only = ({ path }: { path: string }) => path === '/classe';
		world.service.temper = { failWith: { status: 503, only } };
	});

	it('asks for the ID of the class', async () => {
		expect(await submit(MISTYPED, END, CLASS)).toBe(
			'Removed: ana@exmaple.com no longer has access to class-python.',
		);
	});

	it('does nothing with an ID that no class has', async () => {
		expect(await submit(STUDENT, GIVE, 'Ana', 'class-pyton', '2099-12-31')).toMatch(
			/^Rejected: Rejected by the service .* Check 'Class'/,
		);
		expect(await submit(MISTYPED, END, 'class-pyton')).toMatch(
			/^Rejected: Rejected by the service/,
		);
		expect(students()).toHaveLength(1);
	});
});

it('says in its form what to know before, and leads back to it', async () => {
	const browser = await launchChromium();
	const httpCredentials = { username: LOGIN.user, password: LOGIN.password };
	const page = await (await browser.newContext({ httpCredentials })).newPage();
	const choose = async (action: string) => {
		await page.getByRole('combobox').waitFor();
		await page.getByPlaceholder('student@example.com').fill(MISTYPED);
		await page.getByRole('combobox').selectOption(action);
		await page.getByRole('button', { name: 'Next' }).click();
	};
	await page.goto(`${world.session.url}/form/${PATH}`);
	await choose(END);
	await page.getByText("You can't undo this.").waitFor();
	await page.getByRole('combobox').selectOption(OPTION);
	await page.getByRole('button', { name: END }).click();
	await page.getByText('no longer has access to Python').waitFor();
	await page.getByRole('link', { name: 'Back to the form' }).click();
	await choose(CORRECT);
	await page.getByText('Look in your learning platform first').waitFor();

	const only = ({ path }: { path: string }) => path === '/classe';
	world.service.temper = { failWith: { status: 503, only } };
	await page.goto(`${world.session.url}/form/${PATH}`);
	await choose(GIVE);
	await page.getByText("The classes can't be listed now.").waitFor();
	await browser.close();
});
