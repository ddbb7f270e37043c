import { writeFile } from 'node:fs/promises';
import type { Page } from 'playwright-core';
import sharp from 'sharp';

import { nodeOnCanvas, openList, listItems, parameter, runStep } from '../test/e2e/editor/details';
import { openNodeCreator, searchNode } from '../test/e2e/editor/nodeCreator';

const NODE = 'Class Enrollment';
const STUDENT = 'student@example.com';
const WIDTH = 960;
const SHORT_MS = 900;
const LONG_MS = 2000;

/**
 * Builds a workflow in the editor, from the empty canvas to a student in a class, and saves it as an animated picture.
 * @param page a window of the editor, signed in
 */
export async function takeTour(page: Page, path: string, className: string): Promise<void> {
	const frames: Array<{ picture: Buffer; delay: number }> = [];
	const show = async (delay = SHORT_MS) => {
		frames.push({ picture: await page.screenshot({ animations: 'disabled' }), delay });
	};

	await page.goto('/workflow/new');
	await page.getByTestId('canvas-add-button').waitFor();
	await show();

	await page.getByTestId('canvas-add-button').click();
	await page.getByTestId('node-creator-item-name').getByText('Trigger manually').waitFor();
	await show();
	await page.getByTestId('node-creator-item-name').getByText('Trigger manually').click();
	await page.getByTestId('canvas-node').first().waitFor();
	await show();

	await openNodeCreator(page);
	await show();
	const entry = await searchNode(page, 'enroll', NODE);
	await show();
	await entry.click();
	const action = page.getByTestId('node-creator-item-name').getByText('Add student to class');
	await action.waitFor();
	await show();
	await action.click();
	await page.getByTestId('node-parameters').waitFor();
	await show();

	await parameter(page, 'classId').getByTestId('rlc-input').click();
	const item = page.getByTestId('rlc-item').filter({ hasText: className });
	await item.waitFor();
	await show();
	await item.click();
	await parameter(page, 'email').locator('input').fill(STUDENT);
	await show();
	await openList(page, 'accessExpiration');
	await show();
	await listItems(page).filter({ hasText: 'After a Duration' }).click();
	await show(LONG_MS);

	await runStep(page);
	await show(LONG_MS);
	await page.getByTestId('ndv-close-button').click();
	await nodeOnCanvas(page, 'Add student to class').waitFor();
	await show(LONG_MS);

	await writeFile(path, await animate(frames));
	console.log(path);
}

async function animate(frames: Array<{ picture: Buffer; delay: number }>): Promise<Buffer> {
	const pictures = await Promise.all(
		frames.map(async ({ picture }) => await sharp(picture).resize(WIDTH).png().toBuffer()),
	);
	return await sharp(pictures, { join: { animated: true } })
		.gif({ delay: frames.map(({ delay }) => delay), loop: 0, colours: 64, dither: 0 })
		.toBuffer();
}
