import { createAccess } from './access';
import { type Call, isRepeatable, meaningOf, type Outcome } from './fate';
import { createOutage } from './outage';
import type { Turns } from './turns';

/** Where every other response is a failure, so many lose one request in a million (docs/how-it-works.md). */
const MAX_TRIES = 20;

/**
 * Decides whether and when a request is sent again, and when the run gives up: when nothing has got through for its
 * patience. If only some requests may be concerned, the class list is asked first. If it answers, patience begins anew,
 * once, and each of the others gets one try, until one gets through.
 * @param hasOthers whether the run has more than one request
 * @param askClassList sends a request that succeeds whenever the service is at work
 * @param giveUp ends the run because of this outcome
 */
export function createPatience(
	maxRetries: number,
	turns: Turns,
	hasOthers: () => boolean,
	askClassList: () => Promise<Outcome>,
	giveUp: (outcome: Outcome) => void,
) {
	const outage = createOutage();
	const access = createAccess();
	/** The last failure that may be about all requests; undefined once the class list was asked, or something gets through. */
	let suspicion: Outcome | undefined;
	/** Settles when it is known what became of asking; undefined if the class list is not being asked. */
	let asking: Promise<void> | undefined;

	const ask = async (suspected: Outcome) => {
		const { fate } = await askClassList();
		const isAboutAccess = meaningOf(suspected.fate).works;
		// Not where something has got through meanwhile.
		if (suspicion) {
			const goesOn = (isAboutAccess ? access : outage).noteClassList(fate);
			if (!goesOn) giveUp(suspected);
			// The others, which a pause has held back, now get their one try side by side.
			else if (!isAboutAccess) turns.resume();
		}
		suspicion = asking = undefined;
	};
	const mayRetry = ({ request, tries }: Call, { fate }: Outcome) => {
		if (!isRepeatable(request, fate)) return false;
		if (tries <= maxRetries) return true;
		// A read that meets a server error may ask for what does not exist, such as a page.
		const isForTheRun = maxRetries > 0 && hasOthers() && meaningOf(fate).again !== 'reads';
		return isForTheRun && (fate === 'limited' || tries < MAX_TRIES);
	};

	return {
		isAccessGood: access.isGood,
		/** Asks the class list if the run is about to give up; undefined if it is not. */
		askFirst: (): Promise<void> | undefined => suspicion && (asking ??= ask(suspicion)),
		/** Notes what became of a request; returns how long it waits for another turn, undefined if it gets none. */
		note: (call: Call, outcome: Outcome): number | undefined => {
			const { works, hitsAll } = meaningOf(outcome.fate);
			if (works) turns.speedUp();
			if (works && !hitsAll) {
				outage.noteSuccess();
				access.noteSuccess();
				suspicion = undefined;
				return undefined;
			}
			const { reaction, waitMs } = works
				? { reaction: access.noteRefusal(), waitMs: 0 }
				: outage.noteFailure(call, outcome);
			if (reaction === 'giveUp') giveUp(outcome);
			if (reaction === 'askClassList') suspicion = outcome;
			if (reaction === 'allWait') turns.pause(waitMs);
			if (reaction === 'fail' || !mayRetry(call, outcome)) return undefined;
			return reaction === 'wait' ? waitMs : 0;
		},
	};
}
