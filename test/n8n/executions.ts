import { parse } from 'flatted';

import { get, post, type Session } from './session';
import { answerOf } from './waiting';
import type { SavedWorkflow } from './workflows';

export interface Item {
	json: Record<string, unknown>;
	pairedItem?: unknown;
}

export interface ExecutionError {
	message: string;
	description?: string | null;
	node?: { name: string };
}

/** One run of one node, with its items by output. */
export interface NodeRun {
	executionTime: number;
	data?: Record<string, Array<Item[] | null>>;
}

export interface ExecutionSummary {
	id: string;
	status: string;
	mode: string;
}

export interface Execution extends ExecutionSummary {
	error?: ExecutionError;
	runData: Record<string, NodeRun[]>;
}

const UNFINISHED = ['new', 'running', 'waiting', 'unknown'];

/** Runs a saved workflow like "Execute workflow" in the editor, and waits until it ends. */
export async function runWorkflow(session: Session, { id }: SavedWorkflow, triggerName: string) {
	const body = { triggerToStartFrom: { name: triggerName } };
	const run = await post<{ executionId: string }>(session, `/workflows/${id}/run`, body);
	return await waitForExecution(session, run.executionId);
}

/** Waits until an execution ends, and returns it with its data. */
export async function waitForExecution(session: Session, id: string): Promise<Execution> {
	const { data, ...summary } = await answerOf(async () => {
		const execution = await get<ExecutionSummary & { data: string }>(session, `/executions/${id}`);
		return UNFINISHED.includes(execution.status) ? undefined : execution;
	}, `Execution ${id}`);
	const { resultData } = parse(data) as { resultData: Pick<Execution, 'error' | 'runData'> };
	return { ...summary, error: resultData.error, runData: resultData.runData };
}

/** Lists the executions of a workflow, the newest first. */
export async function listExecutions(session: Session, workflowId: string) {
	const filter = encodeURIComponent(JSON.stringify({ workflowId }));
	const path = `/executions?filter=${filter}&limit=100`;
	return (await get<{ results: ExecutionSummary[] }>(session, path)).results;
}

/**
 * Waits until the newest execution of a workflow ends. n8n may leave one that is just ending out of its list, so two
 * lists in a row must agree on which one it is.
 */
export async function waitForLastExecution(session: Session, workflowId: string) {
	let before: string | undefined;
	const last = await answerOf(async () => {
		const [newest] = await listExecutions(session, workflowId);
		const isSame = newest?.id === before;
		before = newest?.id;
		return isSame ? before : undefined;
	}, `The list of executions of workflow ${workflowId}`);
	return await waitForExecution(session, last);
}

/** What a node has output in its last run. */
export function outputOf(execution: Execution, nodeName: string): Item[] {
	return execution.runData[nodeName]?.at(-1)?.data?.main?.[0] ?? [];
}

/** The JSON of these items. */
export function jsonOf(execution: Execution, nodeName: string): Array<Item['json']> {
	return outputOf(execution, nodeName).map(({ json }) => json);
}
