import { createAccess } from './access';
import { isRepeatable, meaningOf } from './fate';
import { createOutage } from './outage';
import type { Outcome } from './outcome';
import type { ServiceRequest } from './request';
import type { Turns } from './turns';

/** Where every other response is a failure, so many lose one request in a million (docs/how-it-works.md). */
const MAX_TRIES = 20;

/** A request, and what has become of it so far. */
export interface Call {
	request: ServiceRequest;
	tries: number;
	/** The outcome of the last try; undefined if it was not sent. */
	outcome?: Outcome;
	/** When the last try was sent, in milliseconds since 1970. */
	sentAt: number;
	/** How long the last try took, in milliseconds. */
	tookMs: number;
	/** Whether one of the tries may have taken effect. */
	isUnknown: boolean;
	/** Whether it has had the one wait that is left when the class list answers. */
	hasWaitedOnce?: boolean;
}

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
	/** The class list is asked before the next request. Unless it answers, or something gets through, this ends the run. */
	let suspicion: Outcome | undefined;
	/** Ends when the class list has answered. */
	let asking: Promise<void> | undefined;

	const ask = async (suspected: Outcome) => {
		const { fate } = await askClassList();
		const isAboutAccess = meaningOf(suspected.fate).works;
		// Not where something has got through meanwhile.
		if (suspicion) {
			if (isAboutAccess ? access.isRefusedBy(fate) : fate !== 'done') giveUp(suspected);
			else if (!isAboutAccess) {
				outage.noteClassList();
				// A pause has shown nothing about the others.
				turns.resume();
			}
		}
		suspicion = asking = undefined;
	};
	const noteSuccess = () => {
		outage.end();
		access.accept();
		suspicion = undefined;
	};
	const mayRetry = ({ request, tries }: Call, { fate }: Outcome) => {
		if (!isRepeatable(request, fate)) return false;
		if (tries <= maxRetries || maxRetries === 0) return tries <= maxRetries;
		// A read that meets a server error may ask for what does not exist, such as a page.
		const isForTheRun = hasOthers() && meaningOf(fate).again !== 'reads';
		return isForTheRun && (fate === 'limited' || tries < MAX_TRIES);
	};

	return {
		/** Whether the token and the address are good: something has got through, or the class list has answered. */
		isAccessGood: access.isGood,
		/** Asks the class list first, if the run is about to give up; the request whose turn it is waits for that. */
		beforeSending: async () => {
			if (!suspicion) return;
			await (asking ??= ask(suspicion));
			await turns.startSecond();
		},
		/** Notes what became of a request; returns how long it waits until it is sent again, undefined if it is not. */
		note: (call: Call, outcome: Outcome): number | undefined => {
			const { works, hitsAll } = meaningOf(outcome.fate);
			if (works) turns.speedUp();
			if (works && !hitsAll) {
				noteSuccess();
				return undefined;
			}
			const { verdict, waitMs } = works
				? { verdict: access.noteRefusal(), waitMs: 0 }
				: outage.noteFailure(outcome, call.tries, call.tookMs);
			const isSecondWait = verdict === 'retryOnce' && call.hasWaitedOnce;
			call.hasWaitedOnce ||= verdict === 'retryOnce';
			if (verdict === 'giveUp') giveUp(outcome);
			if (verdict === 'askClassList') suspicion = outcome;
			if (verdict === 'allRetry') turns.pause(waitMs);
			if (verdict === 'fail' || isSecondWait || !mayRetry(call, outcome)) return undefined;
			return ['retry', 'retryOnce'].includes(verdict) ? waitMs : 0;
		},
	};
}
