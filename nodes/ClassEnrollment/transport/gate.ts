import { sleep } from 'n8n-workflow';
import type { Breaker } from './breaker';
import type { AttemptResult } from './outcome';
import type { Pace } from './pace';
import { createQueue } from './queue';

/**
 * Creates the gate of a run, through which requests start: at most `max` at a time, as fast as the pace and the breaker
 * allow. After 429 one at a time, and one more with each answer.
 * @param over aborts at the end of the run: then all that wait pass, so that each notices
 */
export function createGate(max: number, pace: Pace, breaker: Breaker, over: AbortSignal) {
	const queue = createQueue();
	let limit = max;
	let inFlight = 0;
	let hasAlarm = false;

	const letIn = () => {
		while (!queue.isEmpty() && (over.aborted || inFlight < limit)) {
			// Both claim a start. If the pace then refuses, the breaker's claim is lost: in an outage, that costs half a second.
			const waitMs = over.aborted ? 0 : breaker.pace() || pace();
			if (waitMs > 0) return setAlarm(waitMs);
			inFlight++;
			queue.startNext(breaker.isFailing());
		}
	};
	const setAlarm = (milliseconds: number) => {
		if (hasAlarm) return;
		hasAlarm = true;
		void sleep(milliseconds).then(() => {
			hasAlarm = false;
			letIn();
		});
	};
	over.addEventListener('abort', letIn);

	return {
		enter: async (isAgain: boolean) => {
			const turn = queue.join(isAgain);
			letIn();
			await turn;
		},
		leave: ({ status, answers }: AttemptResult) => {
			inFlight--;
			if (status === 429) limit = 1;
			else if (answers) limit = Math.min(max, limit + 1);
			letIn();
		},
	};
}
