import { delay } from './delay';
import { ServiceError } from './serviceError';

/**
 * Runs a task within a time.
 * @param what names the task in the error
 * @param task gets a signal that aborts when the time is over
 * @throws ServiceError as soon as the time is over
 */
export async function withDeadline<Result>(
	what: string,
	milliseconds: number,
	task: (over: AbortSignal) => Promise<Result>,
): Promise<Result> {
	const end = new AbortController();
	const fail = async (): Promise<never> => {
		await delay(milliseconds, end.signal);
		throw new ServiceError({
			message: `${what} took longer than ${Math.round(milliseconds / 1000)} seconds`,
			description: 'Nothing was changed. Try again later.',
			mayHaveTakenEffect: false,
			failureCause: 'temporarily-unavailable',
		});
	};
	return await Promise.race([task(end.signal), fail()]).finally(() => end.abort());
}
