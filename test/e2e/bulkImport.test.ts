import {
	listExecutions,
	outputOf,
	runWorkflow,
	waitForExecution,
	type Execution,
} from '../n8n/executions';
import { createCredential, publishWorkflow, type SavedWorkflow } from '../n8n/workflows';
import { eventually } from './editor/eventually';
import { importExample } from './examples';
import { startWorld, type World } from './world';

const LOGIN = { user: 'operator', password: 'form-password' };
const AUTHORIZATION = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
const CLASS_ID = 'class-python';
const EXPIRATION = '2099-01-31T12:00:00.000Z';
const TIMEOUT_MS = 60_000;
const HEADER = 'email,name,expirationDate';

let world: World;
let workflow: SavedWorkflow;

beforeAll(async () => {
	world = await startWorld();
	world.service.classes.addClass({ id: CLASS_ID, name: 'Python' });
	workflow = await importExample(world, 'bulk-import', {
		credentials: {
			httpBasicAuth: await createCredential(world.session, 'httpBasicAuth', 'Form', LOGIN),
		},
		parameters: {
			'Add Students': { classId: { __rl: true, mode: 'list', value: CLASS_ID } },
		},
	});
	await publishWorkflow(world.session, workflow);
});

afterAll(async () => await world?.stop());

beforeEach(() => {
	world.service.temper = {};
	world.service.resetRecord();
});

afterEach(() => expect(world.service.violations).toEqual([]));

const row = (number: number) => `student-${number}@example.com,Student ${number},${EXPIRATION}`;

function csv(rows: number, wrongRows: Record<number, string> = {}): string {
	const lines = Array.from({ length: rows }, (_, index) => wrongRows[index + 1] ?? row(index + 1));
	return [HEADER, ...lines].join('\n');
}

async function browse(url: string, init: RequestInit = {}): Promise<Response> {
	return await fetch(url, { ...init, headers: { authorization: AUTHORIZATION } });
}

/** Uploads a file with the form, reads its last page, and ends the execution. */
async function upload(text: string): Promise<{ lastPage: string; execution: Execution }> {
	const body = new FormData();
	body.set('field-0', new File([text], 'students.csv', { type: 'text/csv' }));
	const url = `${world.n8n.url}/form/class-enrollment-import`;
	const submitted = await browse(url, { method: 'POST', body });
	const { formWaitingUrl } = (await submitted.json()) as { formWaitingUrl: string };
	const id = await waitForLastPage();
	const lastPage = await (await browse(formWaitingUrl)).text();
	await browse(formWaitingUrl, { method: 'POST' });
	return { lastPage, execution: await waitForExecution(world.session, id) };
}

async function waitForLastPage(): Promise<string> {
	let id = '';
	await eventually(async () => {
		const [newest] = await listExecutions(world.session, workflow.id);
		expect(newest).toMatchObject({ status: 'waiting' });
		id = newest?.id ?? '';
	}, TIMEOUT_MS);
	return id;
}

describe('the bulk import', () => {
	it('requires the password', async () => {
		const response = await fetch(`${world.n8n.url}/form/class-enrollment-import`);
		expect(response.status).toBe(401);
	});

	it('enrolls 1,997 of 2,000 rows and lists the other 3 with line and reason', async () => {
		const wrongRows = {
			17: `student-17,Student 17,${EXPIRATION}`,
			1000: 'student-1000@example.com,"Student, 1000",someday',
			1999: `,Student 1999,${EXPIRATION}`,
		};
		const { lastPage, execution } = await upload(csv(2000, wrongRows));

		expect(world.service.requests).toHaveLength(20);
		const enrolled = world.service.classes.studentsOf(CLASS_ID);
		expect(enrolled).toHaveLength(1997);
		expect(enrolled[0]).toEqual({
			email: 'student-1@example.com',
			name: 'Student 1',
			expirationDate: EXPIRATION,
		});

		expect(outputOf(execution, 'Add Students', 0)).toHaveLength(1997);
		const expected = [
			{ line: 18, reason: /not an .*address: "student-17"/ },
			{ line: 1001, reason: /not a date: "someday"/ },
			{ line: 2000, reason: /e-?mail/i },
		];
		expect(outputOf(execution, 'Rows at Fault').map(({ json }) => json)).toEqual(
			expected.map(({ line, reason }) =>
				expect.objectContaining({ line, reason: expect.stringMatching(reason) as string }),
			),
		);
		expect(outputOf(execution, 'Add Students', 1).map(({ json }) => json.name)).toEqual([
			'Student 17',
			'Student, 1000',
			'Student 1999',
		]);
		expect(lastPage).toContain('1997 enrolled, 3 not');
		expect(lastPage).toContain('Line 18:');
	});

	it('finds the row that the service refuses', async () => {
		world.service.temper = { rejectEmails: ['student-2@example.com'] };
		const { lastPage, execution } = await upload(csv(8));
		expect(outputOf(execution, 'Add Students', 0)).toHaveLength(7);
		expect(outputOf(execution, 'Rows at Fault').map(({ json }) => json.line)).toEqual([3]);
		expect(lastPage).toContain('7 enrolled, 1 not');
		expect(lastPage).toContain('Email not accepted');
	});

	it('says so when no row could be enrolled', async () => {
		world.service.temper = { failWith: { status: 500 } };
		const { lastPage } = await upload(csv(3));
		expect(lastPage).toContain('0 enrolled, 3 not');
		expect(lastPage).toContain('Told to fail with 500');
	});
});

describe('the class report', () => {
	it('lists every class, the fullest first', async () => {
		const { session, service } = world;
		service.temper = { maxPageSize: 20 };
		for (let number = 1; number <= 50; number++) {
			service.classes.addClass({
				name: `Course ${number}`,
				countStudents: number,
				updatedAt: '2026-05-04T12:00:00.000Z',
			});
		}
		const report = await importExample(world, 'class-report');
		const execution = await runWorkflow(session, report, 'Every Monday');

		const listed = service.classes.listClasses();
		const students = listed.reduce((sum, { countStudents }) => sum + countStudents, 0);
		const names = listed
			.sort((a, b) => b.countStudents - a.countStudents || (a.name < b.name ? -1 : 1))
			.map(({ name }) => name);
		const [first, ...others] = outputOf(execution, 'Write Report');
		expect(others).toEqual([]);
		const html = String(first?.json.html);
		expect(html).toContain(`<p>51 classes, ${students} students</p>`);
		expect(cellsOf(html).filter((_, index) => index % 3 === 0)).toEqual(names);
		expect(cellsOf(html)).toContain('2026-05-04');
	});
});

function cellsOf(html: string): string[] {
	return [...html.matchAll(/<td[^>]*>([^<]*)<\/td>/g)].map(([, text]) => text ?? '');
}
