import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { DateTime } from 'luxon';
import { SMTPServer } from 'smtp-server';

import { createDataTable, insertRows, type DataTable } from '../test/n8n/dataTables';
import { remove } from '../test/n8n/session';
import {
	createCredential,
	type CredentialReference,
	type SavedWorkflow,
} from '../test/n8n/workflows';
import { importExample, runSchedule } from '../test/e2e/examples';
import { startWorld, useWorld } from '../test/e2e/world';
import { STUDENT_COLUMNS } from './classAccess/types';

const UNKNOWN = 'unknown@example.com';

const world = useWorld(startWorld);
const emails: string[] = [];
const mailbox = new SMTPServer({
	authOptional: true,
	disabledCommands: ['STARTTLS'],
	onRcptTo: ({ address }, _session, done) =>
		done(address === UNKNOWN ? new Error('No such mailbox') : undefined),
	onData(stream, _session, done) {
		void text(stream).then((email) => {
			emails.push(email);
			done();
		});
	},
});
let smtp: CredentialReference;
let workflow: SavedWorkflow;
let table: DataTable;

beforeAll(async () => {
	await once(mailbox.listen(0, '127.0.0.1'), 'listening');
	const { port } = mailbox.server.address() as AddressInfo;
	const account = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	smtp = await createCredential(world.session, 'smtp', 'Mailbox', account);
	table = await createDataTable(world.session, 'class_students', STUDENT_COLUMNS);
	workflow = await importExample(world, 'ends-soon', { credentials: { smtp } });
});

afterAll(() => void mailbox.close());
beforeEach(() => void emails.splice(0));

const inDays = (days: number) => DateTime.utc().plus({ days }).toISO();
const morning = async () => await runSchedule(world.session, workflow, 'Every Morning');
const receivers = () => emails.map((email) => /^To: (.*?)\r/m.exec(email)?.[1]).sort();

async function enter(email: string, end: string | null, classId = 'class-python'): Promise<void> {
	const row = { email, end, classId, className: 'Python', name: 'Student', inClass: end !== null };
	await insertRows(world.session, table, [row]);
}

it('emails those whose access ends within a week, once for each end', async () => {
	await enter('soon@example.com', inDays(6.5));
	await enter('tomorrow@example.com', inDays(1));
	await enter('later@example.com', inDays(7.5));
	await enter('over@example.com', inDays(-1));
	await enter('removed@example.com', null);
	expect((await morning()).status).toBe('success');
	expect(receivers()).toEqual(['soon@example.com', 'tomorrow@example.com']);
	expect(emails[0]).toContain('Subject: Your access to Python ends soon');
	expect(emails[0]).toContain('https://shop.example.com');
	expect(emails[0]).toMatch(/ends on \d{1,2} [A-Z][a-z]+ \d{4}\./);

	emails.splice(0);
	await enter('soon@example.com', inDays(3), 'class-design');
	expect((await morning()).status).toBe('success');
	expect(receivers()).toEqual(['soon@example.com']);
});

it('fails with the name of whom it could not email, and emails the others', async () => {
	await enter(UNKNOWN, inDays(2));
	await enter('other@example.com', inDays(2));
	const { status, error } = await morning();
	expect(status).toBe('error');
	expect(error?.message).toMatch(/^Not emailed, .*unknown@example\.com \(.*No such mailbox/);
	expect(receivers()).toEqual(['other@example.com']);
});

it('fails if it cannot email anybody, as when its credential was deleted', async () => {
	await remove(world.session, `/credentials/${smtp.id}`);
	await enter('alone@example.com', inDays(2));
	const { status, error } = await morning();
	expect(status).toBe('error');
	expect(error?.message).toContain('alone@example.com (check the credential of Email the Student)');
});
