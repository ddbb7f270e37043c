import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

import { waitForLastExecution } from '../test/n8n/executions';
import { callWebhook } from '../test/n8n/requests';
import { createCredential, node, publishWorkflow, type SavedWorkflow } from '../test/n8n/workflows';
import { eventually } from '../test/n8n/waiting';
import { importExample } from '../test/e2e/examples';
import { saveWorkflow, student } from '../test/e2e/workflows';
import { startWorld, useWorld } from '../test/e2e/world';

const PATH = 'payments';

const world = useWorld(startWorld);
const emails: string[] = [];
const mailbox = new SMTPServer({
	authOptional: true,
	disabledCommands: ['STARTTLS'],
	onData(stream, _session, done) {
		void text(stream).then((email) => {
			emails.push(email);
			done();
		});
	},
});
let notice: SavedWorkflow;

beforeAll(async () => {
	await once(mailbox.listen(0, '127.0.0.1'), 'listening');
	const { port } = mailbox.server.address() as AddressInfo;
	const account = { host: '127.0.0.1', port, secure: false, disableStartTls: true };
	const smtp = await createCredential(world.session, 'smtp', 'Mailbox', account);
	notice = await importExample(world, 'failure-notice', { credentials: { smtp } });
	await publishWorkflow(world.session, notice);
});

afterAll(() => void mailbox.close());

it('emails the step, the item, the reason, and a link to the execution', async () => {
	const received = { httpMethod: 'POST', path: PATH };
	const adding = student('addToClass', {
		classId: { __rl: true, mode: 'id', value: 'class-unknown' },
		email: '={{ $json.body.email }}',
	});
	const webhook = { ...node('Payment Received', 'webhook', 2.1, received), webhookId: PATH };
	const settings = { errorWorkflow: notice.id, saveDataErrorExecution: 'all' };
	const workflow = await saveWorkflow(world, PATH, [webhook, adding], settings);
	await publishWorkflow(world.session, workflow);
	await callWebhook(world.session, PATH, { email: 'student-1@example.com' });
	await eventually(() => expect(emails).toHaveLength(1));
	const { id } = await waitForLastExecution(world.session, workflow.id);
	const email = emails[0]!.replaceAll('=\r\n', '');
	expect(email).toContain('Subject: Failed: payments');
	expect(email).toContain('To: you@example.com');
	expect(email).toContain('Step: Class Enrollment');
	expect(email).toContain('Item: 0');
	expect(email).toContain('(status 400): Class not found: class-unknown');
	expect(email).toContain(`${world.n8n.url}/workflow/${workflow.id}/executions/${id}`);
});
