import { join } from 'node:path';
import type { Browser } from 'playwright-core';

import type { Session } from '../../n8n/session';
import { launchChromium } from '../chromium';
import { keepOnFailure } from '../evidence';

export type EditorBrowser = Awaited<ReturnType<typeof openBrowser>>;

const WINDOW = { width: 1280, height: 800 };
/** A slow machine is no failure. */
const TIMEOUT_MS = 120_000;

/** Opens a browser for n8n's editor. If a test fails, screenshots of its windows are kept. */
export async function openBrowser(session: Session) {
	const browser = await launchChromium();
	const forgetScreenshots = keepOnFailure(async (folder) => await takeScreenshots(browser, folder));
	const owner = await browser.newContext({
		baseURL: session.url,
		colorScheme: 'light',
		userAgent: userAgentOf(browser),
		viewport: WINDOW,
		locale: 'en-US',
		reducedMotion: 'reduce',
	});
	owner.setDefaultTimeout(TIMEOUT_MS);
	await owner.addCookies(cookiesOf(session));

	return {
		/** Opens a window as the owner. The windows share their cache. */
		openAsOwner: async () => await owner.newPage(),
		async closeWindows() {
			await Promise.all(windowsOf(browser).map(async (page) => await page.close()));
		},
		async close() {
			forgetScreenshots();
			await browser.close();
		},
	};
}

/** As with a window: n8n takes a headless browser for a bot, and ignores what it approves. */
function userAgentOf(browser: Browser): string {
	return `Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${browser.version()} Safari/537.36`;
}

function cookiesOf({ cookie, url }: Session) {
	return cookie.split('; ').map((pair) => {
		const [name = '', ...value] = pair.split('=');
		return { name, value: value.join('='), url };
	});
}

const windowsOf = (browser: Browser) => browser.contexts().flatMap((context) => context.pages());

async function takeScreenshots(browser: Browser, folder: string): Promise<void> {
	await Promise.all(
		windowsOf(browser).map(async (page, index) => {
			await page.screenshot({ path: join(folder, `window-${index + 1}.png`) });
		}),
	);
}
