import type { Page } from 'playwright-core';

import type { SavedWorkflow } from '../test/n8n/workflows';
import { openBrowser, type EditorBrowser } from '../test/e2e/editor/browser';
import { chat, openChat, sendMessage } from '../test/e2e/editor/chat';
import { openWorkflow } from '../test/e2e/editor/details';
import { importExample } from '../test/e2e/examples';
import { useModel, type ToolCall } from '../test/e2e/modelStub';
import { startWorld, useWorld } from '../test/e2e/world';

const PYTHON = 'class-python';
const EMAIL = 'student-1@example.com';
const REMOVE_STUDENT: ToolCall = {
	name: 'Remove_Student',
	arguments: {
		toolParameters: { classId: PYTHON, email: EMAIL },
		hitlParameters: { className: 'Python for Beginners' },
	},
};
const QUESTION =
	'Remove student-1@example.com from the class Python for Beginners (ID class-python)? This is irreversible: the student loses access.';

const world = useWorld(startWorld);
const model = useModel(world);
let browser: EditorBrowser;
let workflow: SavedWorkflow;
let page: Page;

beforeAll(async () => {
	browser = await openBrowser(world.session);
	world.service.classes.addClass({ id: PYTHON, name: 'Python for Beginners' });
	world.service.classes.enroll([PYTHON], [{ email: EMAIL }]);
	const credentials = { openAiApi: model.credential };
	workflow = await importExample(world, 'agent-with-approval', { credentials });
});

afterAll(async () => await browser?.close());

beforeEach(async () => {
	page = await browser.openAsOwner();
	await openWorkflow(page, workflow);
	await openChat(page);
});

afterEach(async () => await browser.closeWindows());

/** Sends a message, on which the model calls a tool, and waits for what the chat shows then. */
async function ask(call: ToolCall, answer: string): Promise<void> {
	model.callTool(call);
	await sendMessage(page, 'Please do it.');
	await waitForAnswer(answer);
}

async function waitForAnswer(answer: string): Promise<void> {
	await chat(page).getByText(answer, { exact: true }).waitFor();
}

async function click(button: string): Promise<void> {
	await chat(page).getByRole('button', { name: button, exact: true }).click();
}

it('removes nobody before a person approves, and then this student from this class', async () => {
	await ask(REMOVE_STUDENT, QUESTION);
	expect(world.service.requests).toEqual([]);
	await click('Remove');
	await waitForAnswer('Done.');
	expect(world.service.requests).toMatchObject([
		{ method: 'DELETE', path: `/classe/${PYTHON}/remove-student`, body: { email: EMAIL } },
	]);
	expect(model.toolResult()).toContain('"deleted":true');
});

it('removes nobody when a person declines, and tells the model', async () => {
	await ask(REMOVE_STUDENT, QUESTION);
	await click('Keep');
	await waitForAnswer('Done.');
	expect(world.service.requests).toEqual([]);
	expect(model.toolResult()).toContain('User rejected the tool call');
});
