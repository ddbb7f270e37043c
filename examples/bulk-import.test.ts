import range from 'lodash/range';
import { DateTime } from 'luxon';

import { jsonOf } from '../test/n8n/executions';
import { submitForm } from '../test/n8n/requests';
import {
	createCredential,
	publishWorkflow,
	type CredentialReference,
	type SavedWorkflow,
	type Workflow,
} from '../test/n8n/workflows';
import { importExample, readExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';

const LOGIN = { user: 'operator', password: 'form-password' };
const AUTHORIZATION = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
const CLASS_ID = 'class-python';
const CLASS = { __rl: true, mode: 'list', value: CLASS_ID };
const EXPIRATION = '2099-01-31T12:00:00.000Z';
/** n8n's default. */
const ZONE = 'America/New_York';
const HEADER = 'email,name,expirationDate';

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
async function upload(
	text: string | Uint8Array<ArrayBuffer>,
	path = 'class-enrollment-import',
	saved = workflow,
) {
	const file = new File([text], 'students.csv', { type: 'text/csv' });
	const headers = { authorization: AUTHORIZATION };
	const { page, execution } = await submitForm(world.session, saved, path, file, headers);
	return { lastPage: page, execution };
}

/** The days, in the workflow's time zone, on which access ends for the students whose email begins with a text. */
function datesOf(beginning: string): Array<string | undefined> {
	return world.service.classes
		.studentsOf(CLASS_ID)
		.filter(({ email }) => email.startsWith(beginning))
		.map(({ expirationDate }) => {
			return expirationDate && DateTime.fromISO(expirationDate, { zone: ZONE }).toISODate()!;
		});
}

describe('the bulk import', () => {
	it('requires the password', async () => {
		const response = await fetch(`${world.n8n.url}/form/class-enrollment-import`);
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
		expect(lastPage).toContain('1997 added, 3 failed');
		expect(lastPage).toMatch(/Line 18: [^\n]*"student-17"/);
		expect(lastPage).toMatch(/Line 1001: [^\n]*"someday"/);
		expect(lastPage).toMatch(/Line 2000: [^\n]*e-?mail/i);
		// Next to the line in the file, the number of the item would confuse.
		expect(lastPage).not.toMatch(/\bitem \d/);
	});

	it('reads dates such as 31/12/2027, and rejects what is no date', async () => {
		const dates = ['31/12/2099', '1/2/2099', '2099-03-04', '31/02/2099', '12/31/2099', ''];
		const rows = dates.map((date, index) => `dated-${index}@example.com,,${date}`);
		const { lastPage } = await upload(csv(...rows));
		expect(datesOf('dated-')).toEqual(['2099-12-31', '2099-02-01', '2099-03-04', undefined]);
		expect(lastPage).toContain('4 added, 2 failed');
		expect(lastPage).toMatch(/Line 5: [^\n]*is not a date: [^\n]*2099-02-31/);
	});

	it('adds nobody for ever when the column with the dates has another name', async () => {
		const { lastPage } = await upload('email,name,validade\nsomebody@example.com,,31/12/2099');
		expect(lastPage).toContain('0 added, 1 failed');
		expect(lastPage).toContain('The file has no column with this name');
	});

	it.each(['', '"Ana ""Bela"" Souza"'])('says where to set the delimiter: %p', async (name) => {
		const { lastPage } = await upload(`email;name;expirationDate\nsomebody@example.com;${name};`);
		expect(lastPage).toContain('0 added, 1 failed');
		expect(lastPage).toContain(
			'separated by semicolons: set Delimiter to ; in Read Rows, and publish the workflow.',
		);
	});

	it('rejects rows whose accents cannot be read, so that no name is spoiled', async () => {
		const rows = ['jose@example.com,José,31/12/2099', 'ana@example.com,Ana,31/12/2099'];
		// As Excel saves a plain CSV file: an accent is one byte.
		const { lastPage } = await upload(Buffer.from(csv(...rows), 'latin1'));
		expect(lastPage).toContain('1 added, 1 failed');
		expect(lastPage).toMatch(
			/Line 2: [^\n]*The accents cannot be read: save the file as CSV UTF-8/,
		);
		const names = world.service.classes.studentsOf(CLASS_ID).map(({ name }) => name);
		expect(names.at(-1)).toBe('Ana');
		expect(names.filter((name) => name?.includes('\uFFFD'))).toEqual([]);
	});

	it('reads a file from Excel in Brazil, changed as its note says', async () => {
		const path = 'importar';
		const changed = JSON.stringify(readExample('bulk-import'))
			.replace('"delimiter":","', '"delimiter":";"')
			.replaceAll('$json.expirationDate', "$json['Data de validade']");
		const brazilian = await importExample(world, JSON.parse(changed) as Workflow, {
			credentials: { httpBasicAuth },
			parameters: {
				'Upload a File': { options: { path } },
				'Add Students': { classId: CLASS, emailField: 'E-mail', nameField: 'Nome' },
			},
		});
		await publishWorkflow(world.session, brazilian);
		const lines = [
			'E-mail;Nome;Data de validade',
			'ana@example.com;Ana Conceição;31/12/2099',
			'joao@example.com;"Silva; João";05/01/2099',
			'sem-data@example.com;Sem Data;',
			'errado;Errado;31/12/2099',
		];
		const { lastPage } = await upload(`\uFEFF${lines.join('\r\n')}\r\n`, path, brazilian);
		expect(lastPage).toContain('3 added, 1 failed');
		expect(lastPage).toContain('Line 5:');
		const enrolled = world.service.classes.studentsOf(CLASS_ID).slice(-3);
		expect(enrolled.map(({ email, name }) => [email, name])).toEqual([
			['ana@example.com', 'Ana Conceição'],
			['joao@example.com', 'Silva; João'],
			['sem-data@example.com', 'Sem Data'],
		]);
		expect(datesOf('')).toEqual(expect.arrayContaining(['2099-12-31', '2099-01-05', undefined]));
	});

	it('shows what to correct before the rows that an outage has stopped, and how to go on', async () => {
		world.service.temper = { readOnlyS: 600 };
		const wrong = `student-150,Student 150,${EXPIRATION}`;
		const file = csv(...range(1, 301).map((n) => (n === 150 ? wrong : row(n))));
		const { lastPage } = await upload(file);
		expect(lastPage).toContain('0 added, 300 failed');
		expect(lastPage).toContain('Correct these rows, then upload the file again.');
		expect(lastPage).toMatch(
			/Line 151: [^\n]*\n\d+ rows between lines \d+ and \d+, all for the same reason: student-\d+@[^\n]*503/,
		);
		expect(lastPage.match(/student-\d+@/g)!.length).toBeLessThan(10);

		world.service.temper = {};
		const again = await upload(file);
		expect(again.lastPage).toContain('299 added, 1 failed');
	});

	it('says so when no row could be added', async () => {
		world.service.temper = { failWith: { status: 500 } };
		const { lastPage } = await upload(csv(row(1), row(2), row(3)));
		expect(lastPage).toContain('0 added, 3 failed');
		expect(lastPage).toContain('Told to fail with 500');
	});
});
