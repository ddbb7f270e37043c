import { join } from 'node:path';
import type { Page } from 'playwright-core';

import { get } from '../n8n/session';
import { type Workflow } from '../n8n/workflows';
import { openBrowser, type EditorBrowser } from './editor/browser';
import {
	credentialForm,
	openNewCredential,
	readTestError,
	saveCredential,
} from './editor/credentials';
import {
	dragField,
	listItems,
	nodeOnCanvas,
	openList,
	openNode,
	openWorkflow,
	parameter,
	readLabels,
	readOutputTable,
	readPreview,
	runStep,
} from './editor/details';
import { eventually } from '../n8n/waiting';
import { FORMS } from './editor/forms';
import { openNodeCreator, searchNode } from './editor/nodeCreator';
import {
	enrollment,
	NODE,
	passOn,
	saveChain,
	saveWorkflow,
	source,
	student,
	trigger,
} from './workflows';
import { byId, operationOf } from '../workflow/operations';
import { startWorld, useWorld } from './world';
import { EXAMPLES, importExample } from './examples';
import { CLASS_ACCESS } from '../../examples/classAccess/workflow';

const PYTHON = 'class-python';
const DATA = 'class-data';
const DESIGN = 'class-design';
const ONE_PAGE_OF_CLASSES = 100;

const world = useWorld(startWorld);
let browser: EditorBrowser;

beforeAll(async () => {
	const { classes } = world.service;
	classes.addClass({ id: DATA, name: 'Data Analysis' });
	classes.addClass({ id: DESIGN, name: 'Web Design' });
	for (let number = 1; number <= ONE_PAGE_OF_CLASSES; number++) {
		classes.addClass({ name: `Evening Class ${number}` });
	}
	classes.addClass({ id: PYTHON, name: 'Python for Beginners' });
	browser = await openBrowser(world.session);
});

afterAll(async () => await browser?.close());

/** Saves a workflow with the node after a node that outputs the items, and opens the node. */
async function openDetails(operation: string, parameters: object = {}, items: object[] = [{}]) {
	const steps = [source('Students', items), student(operation, parameters), passOn('Next')];
	const workflow = await saveChain(world, 'Enrollment', steps);
	const page = await browser.openAsOwner();
	await openWorkflow(page, workflow);
	await openNode(page, NODE);
	return page;
}

describe('the credential', () => {
	let page: Page;

	beforeAll(async () => {
		page = await browser.openAsOwner();
		await openNewCredential(page, 'Class Enrollment API');
	});

	it.each<[string, () => object, string]>([
		[
			'http at the port of https',
			() => {
				world.service.temper = { failWith: { status: 400, text: '<h1>400 Bad Request</h1>' } };
				return {};
			},
			"The service rejected the request. 'Base URL' may need to begin with https://.",
		],
		[
			'a wrong token',
			() => ({ accessToken: 'not-the-token' }),
			'Access token not accepted. Copy it again.',
		],
		[
			'a Base URL without the version',
			() => ({ baseUrl: new URL(world.service.baseUrl).origin }),
			'No class list found at this Base URL. Does it include the version, such as /v1?',
		],
	])('explains %s', async (_, wrong, message) => {
		const { baseUrl, accessToken } = world.service;
		await saveCredential(page, { baseUrl, accessToken, ...wrong() });
		await eventually(async () => expect(await readTestError(page)).toContain(message));
		// The contract has no such address.
		world.service.resetRecord();
	});

	it('passes the test', async () => {
		const { baseUrl, accessToken } = world.service;
		await saveCredential(page, { baseUrl, accessToken });
		await credentialForm(page).getByText('Connection tested successfully').waitFor();
		expect(world.service.requests).toMatchObject([
			{ method: 'GET', path: '/classe', query: {}, status: 200 },
		]);
	});

	afterAll(async () => await browser.closeWindows());
});

describe('the node creator', () => {
	let page: Page;

	beforeAll(async () => {
		page = await browser.openAsOwner();
		await openWorkflow(page, await saveChain(world, 'Node creator', []));
		await openNodeCreator(page);
	});

	it.each([
		['a class', ['turma', 'turmas', 'curso']],
		['enrolling', ['matrícula', 'matricula', 'inscrição', 'enroll']],
		['a student', ['aluno', 'membros', 'área de membros', 'student', 'member area']],
		['a sign-in link', ['magic link', 'login link', 'sign-in link']],
		// The panel shows the trigger as a part of the node.
		['an event', ['class full', 'new class', 'turma cheia']],
	])('finds the node by words for %s: %j', async (_, searched) => {
		for (const words of searched) await searchNode(page, words, NODE);
	});

	it('adds the node with the selected operation', async () => {
		await (await searchNode(page, 'magic link', NODE)).click();
		await page
			.getByTestId('node-creator-item-name')
			.getByText('Send magic link to student')
			.click();
		await page.getByTestId('node-parameters').waitFor();
		const operation = parameter(page, 'operation').locator('input');
		await eventually(async () => expect(await operation.inputValue()).toBe('Send Magic Link'));
		await page.getByTestId('ndv-close-button').click();
		await nodeOnCanvas(page, 'Send magic link to student').waitFor();
	});

	afterAll(async () => await browser.closeWindows());
});

describe('the form', () => {
	const LAST = 'Last';
	let page: Page;

	beforeAll(async () => {
		const steps = FORMS.map(({ title, parameters }) => enrollment(title, parameters));
		const workflow = await saveChain(world, 'All forms', [...steps, passOn(LAST)]);
		page = await browser.openAsOwner();
		await openWorkflow(page, workflow);
	});

	it.each(FORMS)('of $title has the right fields', async ({ title, labels }) => {
		await openNode(page, title);
		await eventually(async () => expect(await readLabels(page)).toEqual(labels));
	});

	it('of the node after a link previews the output before a run', async () => {
		await openNode(page, LAST);
		const output = Object.keys(operationOf('student sendMagicLink').output);
		await eventually(async () => expect(await readPreview(page)).toEqual(output));
	});

	it('has Request Options in the settings', async () => {
		await openNode(page, 'Add to Class');
		await page.getByTestId('tab-settings').click();
		await page.locator('[data-test-id="collection-parameter-add"]:visible').click();
		await eventually(async () => {
			expect(await listItems(page).allInnerTexts()).toEqual([
				'Batching',
				'Give Up After (Seconds)',
				'Ignore SSL Issues (Insecure)',
				'Max Concurrent Requests',
				'Proxy',
				'Timeout',
			]);
		});
	});

	afterAll(async () => await browser.closeWindows());
});

describe('choosing classes', () => {
	afterEach(async () => await browser.closeWindows());

	it('searches the list in the service', async () => {
		const page = await openDetails('addToClass');
		await parameter(page, 'classId').getByTestId('rlc-input').click();
		const found = page.getByTestId('rlc-item');
		await found.filter({ hasText: 'Data Analysis' }).waitFor();

		await page.getByTestId('rlc-search').locator('visible=true').fill('python');
		await eventually(async () => {
			expect(await found.allInnerTexts()).toEqual(['Python for Beginners']);
		});
		await found.first().click();

		const chosen = parameter(page, 'classId').getByTestId('rlc-input');
		await eventually(async () => expect(await chosen.inputValue()).toBe('Python for Beginners'));
		expect(world.service.requests.at(-1)).toMatchObject({ query: { query: 'python' } });
	});

	it('selects several classes from the list', async () => {
		const page = await openDetails('addToClasses', { email: 'student@example.com' });
		await openList(page, 'classIds');
		await listItems(page).filter({ hasText: 'Web Design' }).click();
		await listItems(page).filter({ hasText: 'Python for Beginners' }).click();
		await page.keyboard.press('Escape');
		await runStep(page);
		for (const id of [PYTHON, DESIGN]) {
			expect(world.service.classes.studentsOf(id)).toMatchObject([
				{ email: 'student@example.com' },
			]);
		}
	});
});

describe('running the node', () => {
	afterEach(async () => await browser.closeWindows());

	it('takes the name of a dragged field, and shows the output', async () => {
		const buyers = ['first@example.com', 'second@example.com'].map((mail) => ({ buyer: { mail } }));
		const parameters = { classId: byId(DATA), nameField: '' };
		const page = await openDetails('addManyToClass', parameters, buyers);
		await page.getByTestId('execute-previous-node').click();
		await dragField(page, '.buyer.mail', 'emailField');
		const field = parameter(page, 'emailField').locator('input');
		await eventually(async () => expect(await field.inputValue()).toBe('buyer.mail'));

		await runStep(page);
		await eventually(async () => {
			expect(await readOutputTable(page)).toEqual([
				{ success: 'true', email: 'first@example.com', classId: DATA },
				{ success: 'true', email: 'second@example.com', classId: DATA },
			]);
		});
		expect(world.service.requests).toHaveLength(1);
	});
});

test("the link in a shop's sticky note opens the Class access that the shop calls", async () => {
	const page = await browser.openAsOwner();
	const shop = await importExample(world, 'shop-hotmart');
	await openWorkflow(page, shop);
	const openLink = async () => {
		const tab = page.waitForEvent('popup');
		await page.getByRole('link', { name: 'Open Class access' }).click();
		return await tab;
	};

	const empty = await openLink();
	await empty.getByTestId('canvas-add-button').waitFor();
	const file = join(__dirname, '../../examples/class-access.json');
	await empty.getByTestId('workflow-import-input').setInputFiles(file);
	const { parameters } = shop.nodes.find(({ name }) => name === CLASS_ACCESS)!;
	const { workflowId } = parameters as { workflowId: { value: string } };
	await eventually(async () => {
		const saved = await get<Workflow>(world.session, `/workflows/${workflowId.value}`);
		expect(saved.name).toBe(`${CLASS_ACCESS} 1.0`);
	});

	const again = await openLink();
	await nodeOnCanvas(again, 'List Classes').waitFor();
	await browser.closeWindows();
});

test.each(EXAMPLES)('no note of the example %s is cut off', async (example) => {
	const page = await browser.openAsOwner();
	await openWorkflow(page, await importExample(world, example));
	const notes = page.getByTestId('sticky');
	await notes.first().waitFor();
	const contents = notes.locator('xpath=descendant-or-self::*');
	await eventually(async () => {
		const missing = await contents.evaluateAll((elements) =>
			elements
				.filter(({ clientHeight }) => clientHeight > 0)
				.map(({ scrollHeight, clientHeight }) => scrollHeight - clientHeight),
		);
		expect(Math.max(...missing)).toBe(0);
	});
	await browser.closeWindows();
});

describe('the trigger', () => {
	const TRIGGER = 'Watch';
	let page: Page;

	beforeAll(async () => {
		const parameters = { event: 'studentCountChanged', filters: { query: 'Python' } };
		page = await browser.openAsOwner();
		await openWorkflow(page, await saveWorkflow(world, 'Trigger', [trigger(TRIGGER, parameters)]));
	});

	it('names its event, has the right fields, and fetches a class as test event', async () => {
		expect(await nodeOnCanvas(page, TRIGGER).innerText()).toContain('Student Count Changed');
		await openNode(page, TRIGGER);
		const own = ['Trigger On', 'Direction', 'Filters', 'Name Contains'];
		const labels = ['Credential', 'Poll Times', 'Mode', ...own];
		await eventually(async () => expect(await readLabels(page)).toEqual(labels));
		world.service.resetRecord();
		const button = page.getByTestId('node-execute-button');
		expect(await button.innerText()).toContain('Fetch Test Event');
		await runStep(page);
		await eventually(async () => {
			expect(await readOutputTable(page)).toMatchObject([
				{ id: PYTHON, name: 'Python for Beginners', previousCountStudents: expect.any(String) },
			]);
		});
		// The editor tests the credential meanwhile.
		const queries = world.service.requests.map(({ query }) => query);
		expect(queries.filter(({ query }) => query !== undefined)).toEqual([
			{ query: 'Python', pageSize: '1' },
		]);
	});

	afterAll(async () => await browser.closeWindows());
});
