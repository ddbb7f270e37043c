import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

const CLOCK = JSON.stringify(join(__dirname, '../clock/clock.js'));

// Of the tests' own clock.
test.each([
	['ends', `new Promise((resolve) => setTimeout(resolve, 330_000, 'over'))`, 'over'],
	['would never end', 'Promise.race([])', 'No timer at all'],
	['is too long', `require('node:timers/promises').setTimeout(400_000)`, 'A wait of 400 s'],
])('a wait that %s', async (_how, wait, end) => {
	const script = `const clock = require(${CLOCK});
		clock.start();
		clock.run(async () => await ${wait})
			.then((value) => console.log(value), (error) => console.log(error.message))
			.finally(clock.stop);`;
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', script]);
	expect(stdout).toContain(end);
});
