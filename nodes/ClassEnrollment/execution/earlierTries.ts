import type { IExecuteData, INodeExecutionData } from 'n8n-workflow';

/** What became of the changes in earlier tries of a node run. The key identifies a change. */
export interface EarlierTries {
	/** The output of each change that was made. */
	done: Map<string, INodeExecutionData[]>;
	/** The changes that may have been made. They stay so until a try succeeds, whatever later tries meet. */
	unknown: Set<string>;
}

const triesByExecuteData = new WeakMap<IExecuteData, EarlierTries>();

export const noEarlierTries = (): EarlierTries => ({ done: new Map(), unknown: new Set() });

/**
 * Returns what earlier tries of the same node run have done, so that it is not done again. n8n's Retry On Fail runs
 * a node again with the same execute data; every other run, and every round of a loop, has its own execute data.
 */
export function earlierTriesOf(executeData: IExecuteData): EarlierTries {
	const tries = triesByExecuteData.get(executeData) ?? noEarlierTries();
	triesByExecuteData.set(executeData, tries);
	return tries;
}
