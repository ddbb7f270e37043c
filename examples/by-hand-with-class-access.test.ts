import { readRows, type DataTable } from '../test/n8n/dataTables';
import { fillForm } from '../test/n8n/requests';
import { createCredential, publishWorkflow } from '../test/n8n/workflows';
import { createTables, importExample } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import { CORRECT, END, GIVE, LINK } from './byHand/form';

const LOGIN = { user: 'operator', password: 'form-password' };
const AUTHORIZATION = `Basic ${Buffer.from(`${LOGIN.user}:${LOGIN.password}`).toString('base64')}`;
const PATH = 'class-enrollment-one-person';
const CLASS = 'class-python';
const OPTION = `Python (${CLASS})`;
const STUDENT = 'ana@example.com';
const MISTYPED = 'ana@exmaple.com';

const world = useWorld(startWorld);
let sales: DataTable;

beforeAll(async () => {
	world.service.classes.addClass({ id: CLASS, name: 'Python' });
	const tables = await createTables(world);
	sales = tables.access;
	const httpBasicAuth = await createCredential(world.session, 'httpBasicAuth', 'Form', LOGIN);
	const workflowId = { __rl: true, mode: 'list', value: tables.classAccess.id };
	const workflow = await importExample(world, 'by-hand-with-class-access', {
		credentials: { httpBasicAuth },
		parameters: { 'Class access': { workflowId } },
	});
	await publishWorkflow(world.session, workflow);
});

const students = () => world.service.classes.studentsOf(CLASS).map(({ email }) => email);

/** Fills in the form, and returns the text of the last page. */
async function submit(email: string, action: string, ...details: string[]): Promise<string> {
	const headers = { authorization: AUTHORIZATION };
	const page = await fillForm(world.session, PATH, [[email, action], details], headers);
	const [, title, message] = /<h1>(.*)<\/h1>\s*<p[^>]*>([^<]*?)\s*<a /.exec(page) ?? [];
	return `${title}: ${message}`.replaceAll('&#x27;', "'");
}

it('gives access, corrects the address, sends a link, and ends access', async () => {
	expect(await submit(MISTYPED, GIVE, 'Ana', OPTION, '2099-12-31')).toMatch(
		/^Added: ana@exmaple\.com has access to Python/,
	);
	expect(students()).toEqual([MISTYPED]);

	expect(await submit(MISTYPED, CORRECT, STUDENT, 'Ana')).toBe(
		'Corrected: ana@example.com has what ana@exmaple.com has paid, and ana@exmaple.com no longer has it.',
	);
	expect(students()).toEqual([STUDENT]);

	expect(await submit(STUDENT, LINK)).toMatch(/^Sent: .* a magic link is on its way/);

	expect(await submit(STUDENT, END, OPTION)).toBe(
		'Removed: ana@example.com no longer has access to Python.',
	);
	expect(students()).toEqual([]);
	const kinds = (await readRows(world.session, sales)).map(({ kind }) => kind);
	expect(kinds).toEqual(['given', 'moved', 'ended']);
});

it('says that there is nothing to correct', async () => {
	expect(await submit('nobody@example.com', CORRECT, STUDENT, '')).toBe(
		'Nothing was done: class_sales has no payment of nobody@example.com.',
	);
});

it('says what failed, and keeps what is recorded', async () => {
	world.service.temper = { rejectEmails: ['rejected@example.com'] };
	const said = await submit('rejected@example.com', GIVE, '', OPTION, '2099-12-31');
	expect(said).toMatch(/^Recorded, but something failed: .*rejected@example\.com/);
	expect((await readRows(world.session, sales)).at(-1)).toMatchObject({ kind: 'given' });
});
