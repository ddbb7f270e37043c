import { parseArgs } from 'node:util';

const USAGE = `Usage: npm run bench [-- <options>]

--sizes <n,n>   how many students to enroll; 1000,5000 without it
--rounds <n>    counted rounds of every measure; without it 5 up to 1,000 students, and 3 beyond and for the rest
--latency <ms>  how long the server takes to answer when students are enrolled; 0 without it
--quick         small sizes and one round, to see that it works; writes no file
--profile       instead of measuring, profile n8n while it enrolls the largest number of students`;

export interface Options {
	sizes: number[];
	/** The largest size, which is used where only one is. */
	largest: number;
	roundsFor: (size: number) => number;
	latencyMs: number;
	memoryStudents: number;
	classes: number;
	quick: boolean;
	profile: boolean;
}

const MOST_QUICK_ROUNDS_SIZE = 1_000;
const FULL = { sizes: '1000,5000', memoryStudents: 20_000, classes: 10_000 };
const QUICK = { sizes: '200', memoryStudents: 2_000, classes: 1_000 };

/** Reads the command line. */
export function readOptions(): Options {
	try {
		const { values } = parseArgs({
			options: {
				sizes: { type: 'string' },
				rounds: { type: 'string' },
				latency: { type: 'string', default: '0' },
				quick: { type: 'boolean', default: false },
				profile: { type: 'boolean', default: false },
			},
		});
		const { rounds, latency, quick, profile } = values;
		const preset = quick ? QUICK : FULL;
		const sizes = (values.sizes ?? preset.sizes)
			.split(',')
			.map((text) => wholeNumber('--sizes', text, 1));
		const fixedRounds = rounds === undefined ? undefined : wholeNumber('--rounds', rounds, 1);
		return {
			sizes,
			largest: Math.max(...sizes),
			roundsFor: (size) => fixedRounds ?? (quick ? 1 : size <= MOST_QUICK_ROUNDS_SIZE ? 5 : 3),
			latencyMs: wholeNumber('--latency', latency, 0),
			memoryStudents: preset.memoryStudents,
			classes: preset.classes,
			quick,
			profile,
		};
	} catch (error) {
		throw new Error(`${error instanceof Error ? error.message : String(error)}\n\n${USAGE}`);
	}
}

function wholeNumber(option: string, text: string, least: number): number {
	if (/^\d+$/.test(text.trim()) && Number(text) >= least) return Number(text);
	throw new Error(`${option} takes whole numbers from ${least} on, not "${text}"`);
}
