import { join } from 'node:path';
import type { Page } from 'playwright-core';

import demoClasses from '../demo/classes.json';
import { stopAll } from '../test/n8n/processes';
import { openBrowser } from '../test/e2e/editor/browser';
import { openNewCredential, credentialForm, saveCredential } from '../test/e2e/editor/credentials';
import {
	nodeOnCanvas,
	openNode,
	openWorkflow,
	parameter,
	runStep,
} from '../test/e2e/editor/details';
import { importExample } from '../test/e2e/examples';
import { enrollment, NODE, saveChain, saveWorkflow, source, trigger } from '../test/e2e/workflows';
import { prepareWorlds, removeWorlds, startWorld, type World } from '../test/e2e/world';
import { takeTour } from './tour';

const FOLDER = join(__dirname, 'images');
const SHOWN_BASE_URL = 'https://api.example.com/v1';
const COURSE = demoClasses[0]!;
const CLASS_ID = { __rl: true, mode: 'list', value: COURSE.id, cachedResultName: COURSE.name };

/** The smallest example, as imported, with its credentials and its class. */
async function takeExample(world: World, page: Page): Promise<void> {
	const workflow = await importExample(world, 'payment-to-class', {
		parameters: { 'Add to Class': { classId: CLASS_ID }, 'Payment Received': { path: 'payment' } },
	});
	await openWorkflow(page, workflow);
	await nodeOnCanvas(page, 'Send Magic Link').waitFor();
	await take(page, 'payment-to-class');
}

/** Add Many with its input and its output. */
async function takeNode(world: World, page: Page): Promise<void> {
	const students = ['first', 'second', 'third'].map((name) => ({
		name: `${name[0]?.toUpperCase()}${name.slice(1)} Student`,
		email: `${name}@example.com`,
	}));
	const workflow = await saveChain(world, 'Import', [
		source('Students', students),
		enrollment(NODE, {
			resource: 'student',
			operation: 'addManyToClass',
			classId: CLASS_ID,
			accessExpiration: 'duration',
		}),
	]);
	await openWorkflow(page, workflow);
	await openNode(page, NODE);
	await runStep(page);
	await take(page, 'add-many-to-class');
}

/** The trigger with a class that it fetched. */
async function takeTrigger(world: World, page: Page): Promise<void> {
	// n8n's hint about pinned data would hide a part of the output.
	await page.addInitScript("localStorage.setItem('N8N_PIN_DATA_DISCOVERY_NDV', 'true')");
	const students = Array.from({ length: 12 }, (_, n) => ({ email: `student${n}@example.com` }));
	world.service.classes.enroll([COURSE.id], students);
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
	await take(page, 'trigger');
}

/** The list of classes. */
async function takeClassList(world: World, page: Page): Promise<void> {
	const parameters = { resource: 'student', operation: 'addToClass' };
	await openWorkflow(page, await saveChain(world, 'Classes', [enrollment(NODE, parameters)]));
	await openNode(page, NODE);
	await parameter(page, 'classId').getByTestId('rlc-input').click();
	await page.getByTestId('rlc-item').first().waitFor();
	await take(page, 'choose-a-class');
}

async function takeCredential({ service }: World, page: Page): Promise<void> {
	await openNewCredential(page, 'Class Enrollment API');
	await saveCredential(page, service);
	await credentialForm(page).getByText('Connection tested successfully').waitFor();
	// The address of the local service would confuse the reader.
	await credentialForm(page)
		.getByTestId('parameter-input-baseUrl')
		.locator('input')
		.evaluate((input, shown) => void Object.assign(input, { value: shown }), SHOWN_BASE_URL);
	await take(page, 'credential');
}

/** Takes a screenshot after all notifications have disappeared. */
async function take(page: Page, name: string): Promise<void> {
	for (const message of await page.locator('.el-notification__closeBtn').all()) {
		await message.click();
	}
	await page.locator('.el-notification').first().waitFor({ state: 'detached' });
	await page.mouse.move(0, 0);
	const path = join(FOLDER, `${name}.png`);
	await page.screenshot({ path, animations: 'disabled' });
	console.log(path);
}

/** Takes the pictures of the README and docs. */
async function takeAll(): Promise<void> {
	await prepareWorlds();
	const world = await startWorld();
	demoClasses.forEach((details) => world.service.classes.addClass(details));
	const browser = await openBrowser(world.session);
	await takeTour(await browser.openAsOwner(), join(FOLDER, 'tour.gif'), COURSE.name);
	await takeExample(world, await browser.openAsOwner());
	await takeNode(world, await browser.openAsOwner());
	await takeClassList(world, await browser.openAsOwner());
	await takeCredential(world, await browser.openAsOwner());
	await takeTrigger(world, await browser.openAsOwner());
	await browser.close();
	await world.stop();
}

void takeAll()
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
