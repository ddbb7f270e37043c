import type { Circus } from '@jest/types';
import { TestEnvironment } from 'jest-environment-node';
import { mkdir, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';

import { EVIDENCE, type Evidence } from './evidence';

const OUTPUT = join(__dirname, 'output');
const LONGEST_NAME = 100;
const FORWARDED = ['on', 'once', 'off', 'removeListener', 'listenerCount'] as const;

/**
 * Where a test fails, keeps what shows why, before its clean-up runs. And lets what the tests load hear
 * when the process ends, which jest otherwise keeps from them, so that nothing they started lives on.
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
		for (const method of FORWARDED) {
			Object.assign(this.global.process, { [method]: process[method].bind(process) });
		}
	}

	handleTestEvent = async (event: Circus.AsyncEvent): Promise<void> => {
		if (event.name === 'test_fn_failure') await this.keep(event.test);
		if (event.name === 'hook_failure') await this.keep(event.test);
	};

	private async keep(test?: Circus.TestEntry): Promise<void> {
		const folder = join(
			OUTPUT,
			folderName([this.testFile, ...(test ? titlesOf(test) : ['hooks'])]),
		);
		await rm(folder, { recursive: true, force: true });
		await mkdir(folder, { recursive: true });
		const kept = await Promise.allSettled(
			[...this.evidence].map(async (keep) => await keep(folder)),
		);
		const problems = kept.flatMap((result) =>
			result.status === 'rejected' ? [`  (missing: ${String(result.reason)})`] : [],
		);
		console.error(
			[`What was there when the test failed is kept in ${folder}`, ...problems].join('\n'),
		);
	}
}

function titlesOf(test: Circus.TestEntry): string[] {
	const titles = [test.name];
	for (let block = test.parent; block.parent; block = block.parent) titles.unshift(block.name);
	return titles.map(String);
}

function folderName(titles: string[]): string {
	const words = titles.join(' ').replace(/[^\p{L}\p{N}]+/gu, '-');
	return words.slice(0, LONGEST_NAME).replace(/^-|-$/g, '');
}
