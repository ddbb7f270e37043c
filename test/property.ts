import fc from 'fast-check';
import { relative } from 'node:path';

const { PROPERTY_RUNS = '1', PROPERTY_SEED, PROPERTY_PATH } = process.env;
/** How many times as many cases are to be tested. */
export const TIMES = Number(PROPERTY_RUNS);

/**
 * Tests that a property holds for so many random cases, times PROPERTY_RUNS. A failure shows the command that repeats
 * it, and then looks for the smallest case that fails.
 */
export function testProperty<Case>(name: string, runs: number, property: fc.IRawProperty<Case>) {
	const check = async () => {
		const details = await fc.check(property, {
			numRuns: Math.ceil(runs * TIMES),
			seed: PROPERTY_SEED === undefined ? undefined : Number(PROPERTY_SEED),
			path: PROPERTY_PATH,
			// To look for a smaller case may take longer than a test has.
			endOnFailure: PROPERTY_SEED === undefined,
		});
		if (!details.failed) return;
		const { testPath, currentTestName } = expect.getState();
		const replay = `PROPERTY_SEED=${details.seed} PROPERTY_PATH=${details.counterexamplePath ?? ''}`;
		const repeat = `${replay} npx jest ${relative('', testPath!)} -t '${currentTestName}'`;
		// Before it is made smaller, the case may be too long to read.
		const report = PROPERTY_SEED === undefined ? name : fc.defaultReportMessage(details);
		throw new Error(`${report}\n\nTo repeat it: ${repeat}`, { cause: details.errorInstance });
	};
	test(name, check, 300_000 * TIMES);
}
