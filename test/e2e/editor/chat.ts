import type { Page } from 'playwright-core';

/** Opens the chat of the workflow on the canvas. In the next window, the editor opens it by itself. */
export async function openChat(page: Page): Promise<void> {
	const button = page.getByTestId('workflow-chat-button');
	if ((await button.innerText()).includes('Open chat')) await button.click();
	await page.getByTestId('chat-input').waitFor();
}

/** The open chat. */
export const chat = (page: Page) => page.getByTestId('canvas-chat');

/** Sends a message in the open chat. */
export async function sendMessage(page: Page, text: string): Promise<void> {
	await page.getByTestId('chat-input').fill(text);
	await chat(page).locator('.chat-input-send-button').click();
}
