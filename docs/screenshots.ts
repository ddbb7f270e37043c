import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Page } from 'playwright-core';

import demoClasses from '../demo/classes.json';
import { stopAll } from '../test/n8n/processes';
import { openBrowser, type EditorBrowser, type Theme } from '../test/e2e/editor/browser';
import { openNewCredential, credentialForm, saveCredential } from '../test/e2e/editor/credentials';
import {
	nodeOnCanvas,
	openNode,
	openWorkflow,
	parameter,
	runStep,
} from '../test/e2e/editor/details';
import { FORMS } from '../test/e2e/editor/forms';
import { importExample } from '../test/e2e/examples';
import { enrollment, NODE, saveChain, saveWorkflow, source, trigger } from '../test/e2e/workflows';
import { prepareWorlds, removeWorlds, startWorld, type World } from '../test/e2e/world';
import { takeTour } from './tour';

const USAGE = `Usage: npm run screenshots [-- --review]

Takes the pictures of the README and docs and saves them in docs/images.

--review   takes a screenshot of every form in both themes instead, and saves them in test/e2e/output/review`;

const FOR_README = join(__dirname, 'images');
const FOR_REVIEW = join(__dirname, '../test/e2e/output/review');
const SHOWN_BASE_URL = 'https://api.example.com/v1';

/** The smallest example, as imported, with its credentials and its class. */
async function takeExample(world: World, browser: EditorBrowser): Promise<void> {
	const page = await browser.openAsOwner();
	const [course] = demoClasses;
	const classId = { __rl: true, mode: 'list', value: course?.id, cachedResultName: course?.name };
	const workflow = await importExample(world, 'payment-to-class', {
		parameters: { 'Add to Class': { classId }, 'Payment Received': { path: 'payment' } },
	});
	await openWorkflow(page, workflow);
	await nodeOnCanvas(page, 'Send Magic Link').waitFor();
	await take(page, FOR_README, 'payment-to-class');
}

/** Add Many with its input and its output. */
async function takeNode(world: World, browser: EditorBrowser): Promise<void> {
	const page = await browser.openAsOwner();
	const [course] = demoClasses;
	const students = ['first', 'second', 'third'].map((name) => ({
		name: `${name[0]?.toUpperCase()}${name.slice(1)} Student`,
		email: `${name}@example.com`,
	}));
	const workflow = await saveChain(world, 'Import', [
		source('Students', students),
		enrollment(NODE, {
			resource: 'student',
			operation: 'addManyToClass',
			classId: {
				__rl: true,
				mode: 'list',
				value: course?.id,
				cachedResultName: course?.name,
			},
			accessExpiration: 'duration',
		}),
	]);
	await openWorkflow(page, workflow);
	await openNode(page, NODE);
	await runStep(page);
	await take(page, FOR_README, 'add-many-to-class');
}

/** The trigger with a class that it fetched. */
async function takeTrigger(world: World, browser: EditorBrowser): Promise<void> {
	const page = await browser.openAsOwner();
	// n8n's hint about pinned data would hide a part of the output.
	await page.addInitScript("localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true')");
	const [course] = demoClasses;
	const students = Array.from({ length: 12 }, (_, n) => ({ email: `student${n}@example.com` }));
	world.service.classes.enroll([course!.id], students);
	const name = 'Class Enrollment Trigger';
	const parameters = {
		pollTimes: { item: [{ mode: 'everyX', value: 5, unit: 'minutes' }] },
		event: 'studentCountChanged',
		direction: 'increased',
	};
	await openWorkflow(page, await saveWorkflow(world, 'Trigger', [trigger(name, parameters)]));
	await openNode(page, name);
	await runStep(page);
	await page.getByTestId('output-panel').getByText('JSON', { exact: true }).click();
	await take(page, FOR_README, 'trigger');
}

/** The list of classes. */
async function takeClassList(world: World, browser: EditorBrowser): Promise<void> {
	const page = await browser.openAsOwner();
	const parameters = { resource: 'student', operation: 'addToClass' };
	await openWorkflow(page, await saveChain(world, 'Classes', [enrollment(NODE, parameters)]));
	await openNode(page, NODE);
	await parameter(page, 'classId').getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').first().waitFor();
	await take(page, FOR_README, 'choose-a-class');
}

async function takeCredential({ service }: World, browser: EditorBrowser): Promise<void> {
	const page = await browser.openAsOwner();
	await openNewCredential(page, 'Class Enrollment API');
	await saveCredential(page, service);
	await credentialForm(page).getByText('Connection tested successfully').waitFor();
	// The address of the local service would confuse the reader.
	await credentialForm(page)
		.getByTestId('parameter-input-baseUrl')
		.locator('input')
		.evaluate((input, shown) => void Object.assign(input, { value: shown }), SHOWN_BASE_URL);
	await take(page, FOR_README, 'credential');
}

async function takeForms(world: World, browser: EditorBrowser, theme: Theme): Promise<void> {
	const page = await browser.openAsOwner(theme);
	const steps = FORMS.map(({ title, parameters }) => enrollment(title, parameters));
	await openWorkflow(page, await saveChain(world, `All forms, ${theme}`, steps));
	await take(page, FOR_REVIEW, `${theme}-canvas`);
	for (const { title } of FORMS) {
		await openNode(page, title);
		await take(page, FOR_REVIEW, `${theme}-${title.toLowerCase().replaceAll(' ', '-')}`);
	}
}

/** Takes a screenshot after all notifications have disappeared. */
async function take(page: Page, folder: string, name: string): Promise<void> {
	for (const message of await page.locator('.el-notification__closeBtn').all()) {
		await message.click();
	}
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await page.mouse.move(0, 0);
	await mkdir(folder, { recursive: true });
	const path = join(folder, `${name}.png`);
	await page.screenshot({ path, animations: 'disabled' });
	console.log(path);
}

function readReview(): boolean {
	try {
		const { values } = parseArgs({ options: { review: { type: 'boolean', default: false } } });
		return values.review;
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}

async function takeAll(review: boolean): Promise<void> {
	await prepareWorlds();
	const world = await startWorld();
	demoClasses.forEach((details) => world.service.classes.addClass(details));
	const browser = await openBrowser(world.session);
	if (review) {
		await takeForms(world, browser, 'light');
		await takeForms(world, browser, 'dark');
	} else {
		const [course] = demoClasses;
		await takeTour(await browser.openAsOwner(), join(FOR_README, 'tour.gif'), course!.name);
		await takeExample(world, browser);
		await takeNode(world, browser);
		await takeClassList(world, browser);
		await takeCredential(world, browser);
		await takeTrigger(world, browser);
	}
	await browser.close();
	await world.stop();
}

void takeAll(readReview())
	.then(() => 0)
	.catch((error: unknown) => {
		console.error(error instanceof Error ? error.message : error);
		return 1;
	})
	.then(async (exitCode) => {
		await stopAll();
		await removeWorlds();
		process.exit(exitCode);
	});
