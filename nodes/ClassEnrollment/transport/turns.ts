import { sleep } from 'n8n-workflow';

/** Returns how long until a request may start, in milliseconds; with 0, it takes its turn. */
export type Pace = () => number;

/** So many requests may start in each interval, as n8n's Batching asks. */
export function createPace(size: number, intervalMs: number): Pace {
	let left = 0;
	let nextAt = 0;
	return () => {
		const now = performance.now();
		if (now >= nextAt) {
			left = size;
			nextAt = now + intervalMs;
		}
		if (left === 0) return nextAt - now;
		left--;
		return 0;
	};
}

/** Lets requests start in order of arrival, so many at a time, no faster than a pace, and not during a pause. */
export class Turns {
	private readonly waiting: Array<() => void> = [];
	private readonly ended: Promise<unknown>;
	private limit: number;
	private inFlight = 0;
	private pausedUntil = 0;
	private hasAlarm = false;

	/** @param signal aborts at the end of the run: then all that wait start at once, so that each notices */
	constructor(
		private readonly max: number,
		private readonly pace: Pace,
		private readonly signal: AbortSignal,
	) {
		this.limit = max;
		// One listener for all that wait, since Node.js warns of many.
		this.ended = new Promise((resolve) => signal.addEventListener('abort', resolve));
		void this.ended.then(() => this.startNext());
	}

	/** Waits this many milliseconds, and then for its turn behind all others. */
	async take(waitMs: number): Promise<void> {
		await this.wait(waitMs);
		await new Promise<void>((start) => {
			this.waiting.push(start);
			this.startNext();
		});
	}

	/** Waits until another request may start in the place of one. */
	async takeAgain(): Promise<void> {
		for (let ms = this.untilNext(); ms > 0; ms = this.untilNext()) await this.wait(ms);
	}

	/** Frees the place. */
	leave(): void {
		this.inFlight--;
		this.startNext();
	}

	/** Lets nothing start for this many milliseconds, and then one request at a time; returns how many are added. */
	pause(milliseconds: number): number {
		const now = performance.now();
		const before = Math.max(this.pausedUntil, now);
		this.limit = 1;
		this.pausedUntil = Math.max(before, now + milliseconds);
		return this.pausedUntil - before;
	}

	/** Lets one more request be in flight, up to the maximum. */
	speedUp(): void {
		this.limit = Math.min(this.max, this.limit + 1);
	}

	private startNext(): void {
		while (this.waiting.length > 0 && (this.signal.aborted || this.inFlight < this.limit)) {
			const waitMs = this.untilNext();
			if (waitMs > 0) return this.setAlarm(waitMs);
			this.inFlight++;
			this.waiting.shift()!();
		}
	}

	/** Returns how long until the next one may start; with 0, it takes its turn. */
	private untilNext(): number {
		if (this.signal.aborted) return 0;
		const pauseMs = this.pausedUntil - performance.now();
		return pauseMs > 0 ? pauseMs : this.pace();
	}

	private setAlarm(milliseconds: number): void {
		if (this.hasAlarm) return;
		this.hasAlarm = true;
		void this.wait(milliseconds).then(() => {
			this.hasAlarm = false;
			this.startNext();
		});
	}

	/** Waits this many milliseconds, but not beyond the end of the run. */
	private async wait(milliseconds: number): Promise<void> {
		if (milliseconds <= 0 || this.signal.aborted) return;
		await Promise.race([sleep(milliseconds), this.ended]);
	}
}
