/**
 * Creates the queue of a run: those that were never sent, in order, and behind them those to be sent again. While failures
 * last, they are taken from both ends in turn, since what is wrong with those at the head may not be wrong with all.
 */
export function createQueue() {
	const fresh: Array<() => void> = [];
	const again: Array<() => void> = [];
	let isFromEnd = false;
	return {
		join: async (isAgain: boolean) =>
			await new Promise<void>((start) => (isAgain ? again : fresh).push(start)),
		isEmpty: () => fresh.length + again.length === 0,
		startNext: (isFailing: boolean) => {
			const line = fresh.length > 0 ? fresh : again;
			isFromEnd = isFailing && !isFromEnd;
			const start = isFromEnd ? line.pop() : line.shift();
			start?.();
		},
	};
}
