import type { IExecuteData, INodeExecutionData } from 'n8n-workflow';

/** What was done, with its output, by what identifies it. */
export type Done = Map<string, INodeExecutionData[]>;

const doneByExecuteData = new WeakMap<IExecuteData, Done>();

/**
 * Returns what earlier tries of the same node run have done, so that it is not done again. n8n's Retry On Fail runs
 * a node again with the same execute data; every other run, and every round of a loop, has execute data of its own.
 */
export function doneInEarlierTries(executeData: IExecuteData): Done {
	const done = doneByExecuteData.get(executeData) ?? new Map<string, INodeExecutionData[]>();
	doneByExecuteData.set(executeData, done);
	return done;
}
