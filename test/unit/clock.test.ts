import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

/** Runs a wait on a clock of its own, and returns how it ends. */
async function endOf(wait: string): Promise<string> {
	const clock = JSON.stringify(join(__dirname, '../clock/clock.js'));
	const script = `const clock = require(${clock});
		clock.start();
		clock.run(async () => await ${wait})
			.then((value) => console.log(value), (error) => console.log(error.message))
			.finally(clock.stop);`;
	return (await promisify(execFile)(process.execPath, ['-e', script])).stdout;
}

test('the clock jumps to the end of the longest wait of the node', async () => {
	const wait = `new Promise((resolve) => setTimeout(resolve, 330_000, 'over'))`;
	expect(await endOf(wait)).toBe('over\n');
});

test.each([
	['Promise.race([])', 'No timer at all'],
	[`(AbortSignal.timeout(900_000), Promise.race([]))`, 'A wait of 900 s'],
	[`require('node:timers/promises').setTimeout(400_000)`, 'A wait of 400 s'],
])('a test fails at once if nothing is left but %s', async (wait, left) => {
	const end = await endOf(wait);
	expect(end).toContain('Nothing is under way, and the clock jumps 350 s at most');
	expect(end).toContain(left);
});
