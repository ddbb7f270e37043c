import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { EVIDENCE, type Evidence } from './evidence';

const OUTPUT = join(__dirname, 'output');
const MAX_NAME_LENGTH = 100;
const FORWARDED_METHODS = ['on', 'once', 'off', 'removeListener', 'listenerCount'] as const;

/**
 * Keeps screenshots and logs when a test fails, before its clean-up runs. It also passes signals and the end of the
 * process on to the tests, which jest hides from them, so that they can stop everything they started.
 */
export default class EndToEndEnvironment extends TestEnvironment {
	private readonly evidence: Evidence = new Set();
	private readonly testFile: string;

	constructor(...[config, context]: ConstructorParameters<typeof TestEnvironment>) {
		super(config, context);
		this.testFile = basename(context.testPath, '.test.ts');
	}

	override async setup(): Promise<void> {
		await super.setup();
		Object.assign(this.global, { [EVIDENCE]: this.evidence });
		for (const method of FORWARDED_METHODS) {
			Object.assign(this.global.process, { [method]: process[method].bind(process) });
		}
	}

	handleTestEvent = async (event: Circus.AsyncEvent): Promise<void> => {
		if (event.name === 'test_fn_failure' || event.name === 'hook_failure')
			await this.keep(event.test);
	};

	private async keep(test?: Circus.TestEntry): Promise<void> {
		const titles = test ? titlesOf(test) : ['hooks'];
		const folder = join(OUTPUT, folderName([this.testFile, ...titles]));
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		const kept = await Promise.allSettled(
			[...this.evidence].map(async (keep) => await keep(folder)),
		);
		const problems = kept.flatMap((result) =>
			result.status === 'rejected' ? [`  (failed: ${String(result.reason)})`] : [],
		);
		const title = `Screenshots and logs of the failed test are in ${folder}`;
		console.error([title, ...problems].join('\n'));
	}
}

function titlesOf(test: Circus.TestEntry): string[] {
	const titles = [test.name];
	for (let block = test.parent; block.parent; block = block.parent) titles.unshift(block.name);
	return titles.map(String);
}

function folderName(titles: string[]): string {
	const words = titles.join(' ').replace(/[^\p{L}\p{N}]+/gu, '-');
	return words.slice(0, MAX_NAME_LENGTH).replace(/^-|-$/g, '');
}
