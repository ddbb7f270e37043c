const MAX_RANGES = 20;

/** Writes numbers in ascending order as ranges: [0, 1, 2, 5] becomes "0-2, 5". Cuts off what is too much to read. */
export function formatRanges(numbers: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	const shown = ranges
		.slice(0, MAX_RANGES)
		.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
		.join(', ');
	return ranges.length > MAX_RANGES ? `${shown} and more` : shown;
}
