import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { installPackage } from './communityPackage';
import { SETTINGS } from './server';

const USAGE = `Usage: tsx test/n8n/prepareContainer.ts <folder>

Prepares a folder for n8n's official image: ".n8n" is to be mounted as /home/node/.n8n and contains the packed package,
and "settings.env" contains the settings for the tests.`;

/** Installs the package and writes the settings. */
async function main([folder]: string[]): Promise<void> {
	if (!folder) throw new Error(USAGE);
	await installPackage(folder);
	const settings = Object.entries(SETTINGS).map(([name, value]) => `${name}=${value}\n`);
	await writeFile(join(folder, 'settings.env'), settings.join(''));
}

void main(process.argv.slice(2)).catch((error: unknown) => {
	console.error(error);
	process.exitCode = 1;
});
