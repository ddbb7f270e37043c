import type { Locator, Page } from 'playwright-core';

import type { SavedWorkflow } from '../../n8n/workflows';

/** Opens a saved workflow on the canvas. */
export async function openWorkflow(page: Page, { id }: Pick<SavedWorkflow, 'id'>): Promise<void> {
	await page.goto(`/workflow/${id}`);
	await page.getByTestId('canvas-node').first().waitFor();
}

/** A node on the canvas. */
export function nodeOnCanvas(page: Page, name: string): Locator {
	return page.locator(`[data-test-id="canvas-node"][data-node-name="${name}"]`);
}

/** Opens a node on the canvas, and closes the one that is open. */
export async function openNode(page: Page, name: string): Promise<void> {
	const close = page.getByTestId('ndv-close-button');
	if (await close.isVisible()) {
		await close.click();
		await page.getByTestId('ndv').waitFor({ state: 'hidden' });
	}
	await nodeOnCanvas(page, name).dblclick();
	await page.getByTestId('node-parameters').waitFor();
}

/** The input of a parameter in the open node. */
export function parameter(page: Page, name: string): Locator {
	return page.getByTestId('node-parameters').getByTestId(`parameter-input-${name}`);
}

const labels = (page: Page) => page.getByTestId('node-parameters').locator('label:visible');

/** The text of a label, without the buttons next to it. */
const textOf = (label: string) => (label.split('\n')[0] ?? '').trim();

/** The labels of the form, from top to bottom. */
export const readLabels = async (page: Page) => (await labels(page).allInnerTexts()).map(textOf);

/** Opens the dropdown of a field. */
export async function openList(page: Page, name: string): Promise<void> {
	const list = parameter(page, name).locator('.el-select');
	await list.locator('input:enabled').first().waitFor();
	await list.click();
	await listItems(page).first().waitFor();
}

/** The options of the open dropdown. */
export const listItems = (page: Page) => page.locator('.el-select-dropdown__item:visible');

/** Drags an input field into a parameter. */
export async function dragField(page: Page, path: string, parameterName: string): Promise<void> {
	const field = page
		.getByTestId('ndv-input-panel')
		.locator(`[data-target="mappable"][data-path="${path}"]`);
	const target = await parameter(page, parameterName).boundingBox();
	if (!target) throw new Error(`The parameter ${parameterName} is not visible`);
	await field.hover();
	await page.mouse.down();
	await page.mouse.move(target.x + target.width / 2, target.y + target.height / 2, { steps: 10 });
	await page.mouse.up();
}

/** Runs the open node and waits until it ends. */
export async function runStep(page: Page): Promise<void> {
	await page.getByTestId('node-execute-button').click();
	await page
		.getByTestId('output-panel')
		.getByTestId(/^node-run-status-(success|danger)$/)
		.waitFor();
}

/** The rows of the output table, by column name. */
export async function readOutputTable(page: Page): Promise<Array<Record<string, string>>> {
	const table = page.getByTestId('output-panel').locator('table');
	const columns = (await table.locator('th').allInnerTexts()).map((text) => text.trim());
	const rows = await table.locator('tbody tr').all();
	return await Promise.all(
		rows.map(async (row) => {
			const cells = await row.locator('td').allInnerTexts();
			return Object.fromEntries(
				columns.flatMap((column, index) => (column ? [[column, (cells[index] ?? '').trim()]] : [])),
			);
		}),
	);
}

/** The previewed output fields of the node before the open one, which has not run yet. */
export async function readPreview(page: Page): Promise<string[]> {
	const panel = page.getByTestId('ndv-input-panel');
	await panel.getByTestId('schema-preview-warning').waitFor();
	const fields = panel.locator(
		'[data-test-id="run-data-schema-node-name"][data-nest-level="1"]:not([data-name^="$"])',
	);
	return (await fields.allInnerTexts()).map((text) => text.trim());
}
