import { backoff } from './backoff';
import { isRepeatable, meaningOf } from './fate';
import type { Outcome } from './outcome';
import type { ServiceRequest } from './request';
import type { Turns } from './turns';

// docs/how-it-works.md promises these.
const PATIENCE_MS = 20_000;
/** The patience with a service that has worked in this run: it may only be restarting. */
const PATIENCE_WITH_A_RESTART_MS = 60_000;
/** The patience with a service that asks to wait. */
export const MAX_PATIENCE_MS = 300_000;
/** Fewer failures in a row may be chance; a time-out counts twice. */
const FAILURES_OF_AN_OUTAGE = 5;
/** Where every other response is a failure, so many lose one request in a million. */
const MAX_TRIES = 20;

/** A request, and what has become of it so far. */
export interface Call {
	request: ServiceRequest;
	tries: number;
	/** Whether the run had other requests meanwhile. */
	hasCompany: boolean;
	/** The outcome of the last try; undefined if it was not sent. */
	outcome?: Outcome;
	/** When the last try was sent, in milliseconds since 1970. */
	sentAt: number;
	/** Whether one of the tries may have taken effect. */
	isUnknown: boolean;
}

/** Failures in a row, and the time of the first one. */
const NO_FAILURES = { count: 0, since: Infinity };

/**
 * Keeps an outage from costing more than a fixed time, whatever the number of items.
 * - A request that fails waits by itself. After several failures in a row, or if the service asks for it, all wait.
 * - When nothing has got through for the time of its patience, the run gives up. It begins no wait that is longer.
 * - If only some requests may be concerned, it asks the class list first. If that answers, each of the rest gets one try.
 */
export class Patience {
	/** Because of it, nothing more is sent. */
	givenUp?: Outcome;
	private failures = NO_FAILURES;
	private hasServed = false;
	/** Whether each of the rest gets one try. */
	private isLastTry = false;
	/** What ends the run, unless the class list answers: it is asked before the next request. */
	private suspicion?: Outcome;
	private asking?: Promise<void>;

	/** @param askClassList sends a request that succeeds whenever the service is at work, in the place of one that waits */
	constructor(
		private readonly maxRetries: number,
		private readonly turns: Turns,
		private readonly end: AbortController,
		private readonly askClassList: () => Promise<Outcome>,
	) {}

	/** Waits until it is clear whether the request whose turn it is may be sent. */
	async check(): Promise<void> {
		if (!this.suspicion || this.end.signal.aborted) return;
		await (this.asking ??= this.ask(this.suspicion));
		await this.turns.takeAgain();
	}

	/** Notes what became of a request; returns how long it waits until it is sent again, undefined if it is not. */
	note(call: Call, outcome: Outcome): number | undefined {
		const { works, hitsAll } = meaningOf(outcome.fate);
		this.hasServed ||= outcome.fate === 'done';
		if (works && (!hitsAll || this.hasServed)) {
			this.failures = NO_FAILURES;
			this.suspicion = undefined;
			this.turns.speedUp();
			return undefined;
		}
		const { count, since } = this.failures;
		const weight = outcome.fate === 'silent' ? 2 : 1;
		this.failures = { count: count + weight, since: Math.min(since, performance.now()) };
		if (this.isLastTry) return undefined;
		if (this.isOver(outcome)) this.suspect(outcome);
		const waitMs = this.putOff(call, outcome);
		return this.givenUp || !this.mayRetry(call, outcome) ? undefined : waitMs;
	}

	/** Whether patience is over, or would be before the service is to be asked again. */
	private isOver({ fate, retryAfterMs = 0 }: Outcome): boolean {
		const { hitsAll, asksToWait } = meaningOf(fate);
		if (hitsAll && !this.hasServed) return true;
		if (asksToWait) return this.failingMs() + retryAfterMs > MAX_PATIENCE_MS;
		const patienceMs = this.hasServed ? PATIENCE_WITH_A_RESTART_MS : PATIENCE_MS;
		return this.isOutage() && this.failingMs() >= patienceMs;
	}

	/** Gives up, or lets the class list decide if the outcome leaves room for it. */
	private suspect(outcome: Outcome): void {
		const { fate, retryAfterMs = 0 } = outcome;
		if (meaningOf(fate).mayHitOne && retryAfterMs <= MAX_PATIENCE_MS) this.suspicion = outcome;
		else this.giveUp(outcome);
	}

	private async ask(suspected: Outcome): Promise<void> {
		const { fate } = await this.askClassList();
		// Something else may have got through meanwhile.
		if (fate !== 'done' && this.suspicion) this.giveUp(suspected);
		if (fate === 'done' && meaningOf(suspected.fate).works) this.hasServed = true;
		else if (fate === 'done') this.isLastTry = true;
		this.suspicion = this.asking = undefined;
	}

	private giveUp(outcome: Outcome): void {
		this.givenUp ??= outcome;
		this.end.abort();
	}

	/** Makes all wait, or returns how long the request waits by itself. */
	private putOff({ tries }: Call, { fate, retryAfterMs }: Outcome): number {
		if (!meaningOf(fate).asksToWait && !this.isOutage()) return backoff(tries, 0, retryAfterMs);
		if (!this.suspicion) this.turns.pause(backoff(1, this.failingMs() / 4, retryAfterMs));
		return 0;
	}

	private mayRetry({ request, tries, hasCompany }: Call, { fate }: Outcome): boolean {
		if (!isRepeatable(request, fate)) return false;
		if (tries <= this.maxRetries || this.maxRetries === 0) return tries <= this.maxRetries;
		// A read that meets a server error may ask for what does not exist, such as a page.
		const isForTheRun = hasCompany && meaningOf(fate).again !== 'reads';
		return isForTheRun && (fate === 'limited' || tries < MAX_TRIES);
	}

	private isOutage(): boolean {
		return this.failures.count >= FAILURES_OF_AN_OUTAGE;
	}

	private failingMs(): number {
		return Math.max(0, performance.now() - this.failures.since);
	}
}
