import type { Locator, Page } from 'playwright-core';

/** Opens the panel that lists nodes, beside the workflow on the canvas. */
export async function openNodeCreator(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Types words into the panel's search and returns what it shows under a name. */
export async function searchNode(page: Page, words: string, name: string): Promise<Locator> {
	const search = page.getByTestId('node-creator-search-bar');
	// What the last search found is gone first.
	await search.fill('no node has this name');
	await page.getByTestId('node-creator-no-results').waitFor();
	await search.fill(words);
	const entry = page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	await entry.waitFor();
	return entry;
}
