import { type Fate, meaningOf } from './fate';
import { MAX_PATIENCE_MS } from './outage';

/** So many refusals in a row may be about all requests, although some have got through (docs/how-it-works.md). */
const REFUSALS_OF_ALL = 5;

/**
 * Is this access good? A refusal of the token, or a move, is about all requests, until something gets through, or the
 * class list answers. Later, it may be about one class; but a token may also expire.
 */
export function createAccess() {
	/** Whether something has got through, or the class list has answered, since the list itself was refused. */
	let isGood = false;
	/** After so many refusals in a row, the class list is asked: ever more, so that asking costs few requests. */
	let refusalsUntilAsked = 1;
	/** How many there were since something got through, or the class list was asked. */
	let refusals = 0;
	/** When the class list was first asked, if nothing has got through since. */
	let since = Infinity;

	return {
		isGood: () => isGood,
		/** Something has got through. */
		noteSuccess: () => {
			isGood = true;
			refusalsUntilAsked = Math.max(refusalsUntilAsked, REFUSALS_OF_ALL);
			refusals = 0;
			since = Infinity;
		},
		/** Notes a refusal; returns what it leads to. */
		noteRefusal: () => {
			refusals++;
			if (refusals >= refusalsUntilAsked) return 'askClassList';
			return performance.now() - since >= MAX_PATIENCE_MS ? 'giveUp' : 'fail';
		},
		/** Notes what became of asking the class list; returns whether the run goes on. */
		noteClassList: (fate: Fate): boolean => {
			// A run that has worked goes on where the class list fails for another reason.
			isGood = isGood ? !meaningOf(fate).hitsAll : fate === 'done';
			refusalsUntilAsked = 10 * Math.max(refusalsUntilAsked, REFUSALS_OF_ALL);
			refusals = 0;
			since = Math.min(since, performance.now());
			return isGood;
		},
	};
}
