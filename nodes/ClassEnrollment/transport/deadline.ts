import { delay } from './delay';
import { ServiceError, TRY_LATER } from './serviceError';

/**
 * Runs a task with a time limit.
 * @param what names the task in the error
 * @param task gets a signal that aborts when the time is over
 * @throws ServiceError as soon as the time is over
 */
export async function withDeadline<Result>(
	what: string,
	milliseconds: number,
	task: (endSignal: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const end = new AbortController();
	const seconds = Math.round(milliseconds / 1000);
	const fail = async (): Promise<never> => {
		await delay(milliseconds, end.signal);
		throw new ServiceError({
			message: `${what} took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
			advice: TRY_LATER,
			fate: 'unknown',
			mayHaveTakenEffect: false,
			failureCause: 'temporarily-unavailable',
		});
	};
	return await Promise.race([task(end.signal), fail()]).finally(() => end.abort());
}
