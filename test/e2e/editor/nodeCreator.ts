import type { Locator, Page } from 'playwright-core';

/** Opens the panel that lists all nodes. */
export async function openNodeCreator(page: Page): Promise<void> {
	await page.getByTestId('node-creator-plus-button').click();
	await page.getByTestId('node-creator-search-bar').waitFor();
}

/** Searches the panel, and returns the node with a name. */
export async function searchNode(page: Page, words: string, name: string): Promise<Locator> {
	const search = page.getByTestId('node-creator-search-bar');
	// Removes the results of the last search first.
	await search.fill('no node has this name');
	await page.getByTestId('node-creator-no-results').waitFor();
	await search.fill(words);
	const entry = page.getByTestId('node-creator-item-name').getByText(name, { exact: true });
	await entry.waitFor();
	return entry;
}
