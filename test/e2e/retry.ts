import { waitForExecution, type Execution } from '../n8n/executions';
import { post, type Session } from '../n8n/session';

/** The two kinds of n8n's button Retry. */
export const RETRIES: ReadonlyArray<[button: string, loadWorkflow: boolean]> = [
	['Retry with currently saved workflow', true],
	['Retry with original workflow', false],
];

/**
 * Presses Retry for a failed execution, and waits until the retry ends.
 * @param loadWorkflow whether to run the currently saved workflow instead of the one that failed
 */
export async function retry(
	session: Session,
	{ id }: Pick<Execution, 'id'>,
	loadWorkflow: boolean,
): Promise<Execution> {
	const retried = await post<{ id: string }>(session, `/executions/${id}/retry`, { loadWorkflow });
	return await waitForExecution(session, retried.id);
}
