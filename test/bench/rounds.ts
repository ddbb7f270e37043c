/** Something that is measured again and again beside others. */
export interface Subject<Result> {
	title: string;
	run: () => Promise<Result>;
}

/** What was measured of a subject in all counted rounds. */
export interface Series<Result> {
	title: string;
	results: Result[];
}

export interface RoundOptions {
	rounds: number;
	/** Whether to begin with a round that is not counted. */
	warmUp: boolean;
}

/**
 * Measures all subjects in turn, round by round, so that what changes on the machine meanwhile meets them all.
 * Every round begins with another one.
 * @param label what is measured, for the messages on the way
 */
export async function measureInRounds<Key extends string, Result>(
	label: string,
	subjects: Record<Key, Subject<Result>>,
	{ rounds, warmUp }: RoundOptions,
): Promise<Record<Key, Series<Result>>> {
	const entries = Object.entries<Subject<Result>>(subjects);
	const series = entries.map(([key, { title }]) => ({ key, title, results: [] as Result[] }));
	for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
		console.error(`${label}: ${round === 0 ? 'warm-up' : `round ${round} of ${rounds}`} …`);
		const order = entries.map((_, turn) => (round + turn) % entries.length);
		for (const index of order) {
			const result = await entries[index]![1].run();
			if (round > 0) series[index]!.results.push(result);
		}
	}
	return Object.fromEntries(series.map(({ key, ...rest }) => [key, rest])) as Record<
		Key,
		Series<Result>
	>;
}

/** The middle of the values that there are; undefined where there is none. */
export function median(values: Array<number | undefined>): number | undefined {
	const sorted = values.filter((value) => value !== undefined).sort((a, b) => a - b);
	const middle = Math.floor(sorted.length / 2);
	if (sorted.length % 2 === 1 || sorted.length === 0) return sorted[middle];
	return (sorted[middle - 1]! + sorted[middle]!) / 2;
}
