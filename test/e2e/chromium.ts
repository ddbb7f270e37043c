import { existsSync } from 'node:fs';
import { chromium, selectors, type Browser } from 'playwright-core';

const USUAL_PLACES = [
	'/usr/bin/chromium',
	'/usr/bin/chromium-browser',
	'/usr/bin/google-chrome',
	'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** Besides those of Playwright. */
const FLAGS = ['--disable-gpu', '--disable-quic'];

/** The path of the browser: the environment variable CHROMIUM, or a usual place. */
export function findChromium(): string | undefined {
	const { CHROMIUM } = process.env;
	return (CHROMIUM ? [CHROMIUM] : USUAL_PLACES).find((path) => existsSync(path));
}

/**
 * Starts Chromium with an empty profile, which is removed when the browser is closed.
 * Elements are found by n8n's test IDs.
 */
export async function launchChromium(): Promise<Browser> {
	const executablePath = findChromium();
	if (!executablePath) {
		throw new Error(
			'Chromium is missing: install it, or set the environment variable CHROMIUM to its path.',
		);
	}
	selectors.setTestIdAttribute('data-test-id');
	return await chromium.launch({ executablePath, args: FLAGS });
}
