import range from 'lodash/range';
import { DateTime } from 'luxon';
import { launchChromium } from '../test/e2e/chromium';
import { importExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import { jsonOf } from '../test/n8n/executions';
import { submitForm } from '../test/n8n/requests';
import {
	createCredential,
	publishWorkflow,
	type CredentialReference,
	type SavedWorkflow,
} from '../test/n8n/workflows';

const LOGIN = { user: 'operator', password: 'form-password' };
const AUTHORIZATION = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
const PATH = 'class-enrollment-import';
const CLASS_ID = 'class-python';
const CLASS = { __rl: true, mode: 'list', value: CLASS_ID, cachedResultName: 'Python' };
const END = '2127-12-31';
const EXPIRATION = '2099-01-31T12:00:00.000Z';
/** n8n's default. */
const ZONE = 'America/New_York';
const HEADER = 'email,name,expirationDate';
const DATES = 'expirationDate, expiresAt';
const DEFAULTS = ['Comma (,)', 'email', 'name', DATES, '2027-12-31 (year, month, day)'];
const BRAZILIAN = [
	'Semicolon (;)',
	'E-mail',
	'Nome',
	'Data de validade',
	'31/12/2027 (day, month, year)',
];

const world = useWorld(startWorld);
let workflow: SavedWorkflow;
let httpBasicAuth: CredentialReference;

beforeAll(async () => {
	world.service.classes.addClass({ id: CLASS_ID, name: 'Python' });
	httpBasicAuth = await createCredential(world.session, 'httpBasicAuth', 'Form', LOGIN);
	workflow = await importExample(world, 'bulk-import', {
		credentials: { httpBasicAuth },
		parameters: { 'Add Students': { classId: CLASS } },
	});
	await publishWorkflow(world.session, workflow);
});

const row = (n: number) => `student-${n}@example.com,Student ${n},${EXPIRATION}`;
const csv = (...rows: string[]) => [HEADER, ...rows].join('\n');

/** Uploads a file with the form, and returns its last page, and the execution. */
async function upload(text: string | Uint8Array<ArrayBuffer>, answers = DEFAULTS) {
	const file = new File([text], 'students.csv', { type: 'text/csv' });
	const headers = { authorization: AUTHORIZATION };
	const fields = [file, ...answers];
	const { page, execution } = await submitForm(world.session, workflow, PATH, fields, headers);
	return { lastPage: page, execution };
}

/** The students whose email begins with a text: address, name, and the last minute of access, in the workflow's time zone. */
function studentsOf(beginning: string) {
	return world.service.classes
		.studentsOf(CLASS_ID)
		.filter(({ email }) => email.startsWith(beginning))
		.map(({ email, name, expirationDate: end }) => [
			email,
			name,
			end && DateTime.fromISO(end, { zone: ZONE }).toFormat('yyyy-MM-dd HH:mm'),
		]);
}

describe('the bulk import', () => {
	it('requires the password', async () => {
		const response = await fetch(`${world.n8n.url}/form/${PATH}`);
		expect(response.status).toBe(401);
	});

	it('adds 1,997 of 2,000 rows and lists the other 3 with line and reason', async () => {
		const wrongRows: Record<number, string> = {
			17: `student-17,Student 17,${EXPIRATION}`,
			1000: 'student-1000@example.com,"Student, 1000",someday',
			1999: `,Student 1999,${EXPIRATION}`,
		};
		const rows = range(1, 2001).map((n) => wrongRows[n] ?? row(n));
		const { lastPage, execution } = await upload(csv(...rows));

		expect(world.service.requests).toHaveLength(20);
		const enrolled = world.service.classes.studentsOf(CLASS_ID);
		expect(enrolled).toHaveLength(1997);
		expect(enrolled[0]).toEqual({
			email: 'student-1@example.com',
			name: 'Student 1',
			expirationDate: EXPIRATION,
		});

		const failed = jsonOf(execution, 'Add Students').filter(({ error }) => error);
		expect(failed.map(({ outcome }) => outcome)).toEqual(['rejected', 'rejected', 'rejected']);
		expect(lastPage).toContain('1997 students added to Python, 3 rows failed');
		expect(lastPage).toMatch(/Line 18: [^\n]*"student-17"/);
		expect(lastPage).toMatch(/Line 1001: [^\n]*"someday"/);
		expect(lastPage).toMatch(/Line 2000: [^\n]*address is empty/i);
		// Only who knows n8n counts items.
		expect(lastPage).not.toMatch(/\bitem \d/);
	});

	it('adds the others beside an open quote', async () => {
		const [first, last] = ['quote-a@example.com', 'quote-b@example.com'];
		const wrong = 'bea@example.com,"Souza,2127-12-31';
		const { lastPage } = await upload(csv(`${first},Ana,${END}`, ' ', wrong, `${last},Edu,${END}`));
		expect(lastPage).toContain('2 students added to Python, 1 row failed');
		expect(lastPage).toMatch(/Line 4: [^\n]*bea@example\.com/);
		expect(studentsOf('quote')).toEqual([
			[first, 'Ana', `${END} 23:59`],
			[last, 'Edu', `${END} 23:59`],
		]);
	});

	it.each<[string, BufferEncoding, string]>([
		['as Excel in Brazil saves CSV', 'latin1', ''],
		['as Excel saves CSV UTF-8', 'utf8', '\uFEFF'],
		['as Excel saves Unicode text', 'utf16le', '\uFEFFsep=;\r\n'],
	])('reads a file %s', async (_what, encoding, beginning) => {
		const lines = [
			'E-mail; Nome;Data de validade',
			`${encoding}-ana@example.com;Ana Conceição;31/12/2099`,
			`${encoding}-joao@example.com;"Silva; João";05/01/2099`,
			`${encoding}-sem-data@example.com;Sem Data;`,
			`${encoding}-ANA@example.com;Ana Conceição;31/12/2098`,
			'errado;Errado;31/12/2099',
			'',
		];
		const bytes = Buffer.from(beginning + lines.join('\r\n'), encoding);
		const { lastPage } = await upload(bytes, BRAZILIAN);
		expect(lastPage).toContain('3 students added to Python, 1 row failed');
		const shift = beginning.includes('sep') ? 1 : 0;
		expect(lastPage).toContain(`Line ${6 + shift}: The address is not an email address`);
		expect(lastPage).toContain(`${encoding}-ana@example.com: lines ${2 + shift}, ${5 + shift}`);
		expect(lastPage).toContain(`1 row (line ${4 + shift}) has no date: access never ends.`);
		expect(lastPage.includes('read as Windows-1252: Ana Conceição')).toBe(encoding === 'latin1');
		expect(studentsOf(encoding)).toEqual(
			expect.arrayContaining([
				[`${encoding}-ANA@example.com`, 'Ana Conceição', '2098-12-31 23:59'],
				[`${encoding}-joao@example.com`, 'Silva; João', '2099-01-05 23:59'],
				[`${encoding}-sem-data@example.com`, 'Sem Data', undefined],
			]),
		);
	});

	it('takes the file of End of access, and a time as it is', async () => {
		const rows = ['email,name,expiresAt', 'end@example.com,Eva,2099-12-31T10:00'];
		const { lastPage } = await upload(rows.join('\n'));
		expect(lastPage).toContain('1 student added to Python');
		expect(studentsOf('end@')).toEqual([['end@example.com', 'Eva', '2099-12-31 10:00']]);
	});

	it('adds nobody of a file with another name for the dates', async () => {
		const { lastPage, execution } = await upload('email,name,validade\nx@example.com,,31/12/2099');
		expect(execution.status).toBe('success');
		expect(lastPage).toContain('Nobody was added');
		expect(lastPage).toContain('no column');
		expect(lastPage).not.toContain('Correct');
		expect(world.service.requests).toEqual([]);
	});

	it('asks in its form how the file is written, and shows what happened', async () => {
		const browser = await launchChromium();
		const httpCredentials = { username: LOGIN.user, password: LOGIN.password };
		const viewport = { width: 1366, height: 768 };
		const context = await browser.newContext({ httpCredentials, viewport });
		const page = await context.newPage();
		await page.goto(`${world.n8n.url}/form/${PATH}`);
		await page.getByText('Class: Python').waitFor();
		const shown = page.locator('input[type=text], select');
		expect(
			await shown.evaluateAll((all) =>
				all.map((one) => (one as unknown as { value: string }).value),
			),
		).toEqual(DEFAULTS);
		const rows = ['E-mail;Nome;Data de validade', 'form@example.com;Ana;31/12/2099', 'x;Bea;;'];
		const buffer = Buffer.from(rows.join('\r\n'));
		const file = { name: 'alunos.csv', mimeType: 'text/csv', buffer };
		await page.locator('input[type=file]').setInputFiles(file);
		for (const [n, answer] of BRAZILIAN.entries()) {
			const field = shown.nth(n);
			const isList = (await field.locator('option').count()) > 0;
			await (isList ? field.selectOption(answer) : field.fill(answer));
		}
		await page.getByRole('button', { name: 'Submit' }).click();
		await page.getByText('1 student added to Python, 1 row failed').waitFor();
		await page.getByText('Line 3: The address is not an email address: "x".').waitFor();
		await page.getByRole('link', { name: 'Back to the form' }).click();
		await page.getByText('Class: Python').waitFor();
		await browser.close();
		expect(studentsOf('form')).toEqual([['form@example.com', 'Ana', '2099-12-31 23:59']]);
	});

	it('shows what to correct before the rows that an outage has stopped, and how to go on', async () => {
		world.service.temper = { readOnlyS: 600 };
		const wrong = `student-150,Student 150,${EXPIRATION}`;
		const file = csv(...range(1, 301).map((n) => (n === 150 ? wrong : row(n))));
		const { lastPage } = await upload(file);
		expect(lastPage).toContain('Nobody was added, 300 rows failed');
		expect(lastPage).toContain('Correct what is named below, then upload the file again.');
		expect(lastPage).toContain('upload the file again later.');
		expect(lastPage).toMatch(
			/Line 151: [^\n]*\n\d+ rows between lines \d+ and \d+, all for the same reason: student-\d+@[^\n]*503/,
		);
		expect(lastPage.match(/student-\d+@/g)!.length).toBeLessThan(10);

		world.service.temper = {};
		const again = await upload(file);
		expect(again.lastPage).toContain('299 students added to Python, 1 row failed');
	});
});
