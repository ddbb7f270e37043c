import type { Page } from 'playwright-core';

/** Opens the form of a new credential. */
export async function openNewCredential(page: Page, type: string): Promise<void> {
	await page.goto('/home/credentials');
	await page.getByTestId('add-resource-credential').click();
	await page.getByTestId('new-credential-type-select').locator('input').fill(type);
	await page.getByTestId('new-credential-type-select-option').filter({ hasText: type }).click();
	await page.getByTestId('new-credential-type-button').click();
	await credentialForm(page).waitFor();
	// n8n shows the form before it has a name for the credential, and rejects one without a name.
	await page.getByTestId('credential-name').waitFor();
}

/** The form of a credential. */
export const credentialForm = (page: Page) => page.getByTestId('node-credentials-config-container');

/** Fills in the form and saves it. n8n then tests the credential. */
export async function saveCredential(
	page: Page,
	{ baseUrl, accessToken }: { baseUrl: string; accessToken: string },
): Promise<void> {
	for (const [name, value] of Object.entries({ baseUrl, accessToken })) {
		await credentialForm(page).getByTestId(`parameter-input-${name}`).locator('input').fill(value);
	}
	await page.getByTestId('credential-save-button').click();
}

/** The error message of a credential that did not pass n8n's test. */
export async function readTestError(page: Page): Promise<string> {
	const error = credentialForm(page)
		.locator('.el-tag--danger')
		.filter({ hasText: 'Couldn’t connect with these settings' });
	await error.waitFor();
	const more = error.getByText('More details');
	if (await more.isVisible()) await more.click();
	return await error.innerText();
}
