import { listExecutions, waitForExecution, type Execution } from './executions';
import type { Session } from './session';
import { eventually } from './waiting';
import type { SavedWorkflow } from './workflows';

/** Sends JSON to a webhook of n8n. */
export async function callWebhook({ url }: Session, path: string, body: object): Promise<Response> {
	return await fetch(`${url}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(body),
	});
}

/** Submits a form with these fields, in their order, reads the page that a person then sees, and ends the execution. */
export async function submitForm(
	session: Session,
	{ id: workflowId }: SavedWorkflow,
	path: string,
	fields: string | File | Array<string | File>,
	headers: Record<string, string> = {},
): Promise<{ page: string; execution: Execution }> {
	const before = (await listExecutions(session, workflowId)).length;
	const body = new FormData();
	[fields].flat().forEach((field, n) => body.set(`field-${n}`, field));
	const submitted = await fetch(`${session.url}/form/${path}`, { method: 'POST', body, headers });
	const { formWaitingUrl } = (await submitted.json()) as { formWaitingUrl: string };
	const id = await eventually(async () => {
		const list = await listExecutions(session, workflowId);
		expect(list.length).toBeGreaterThan(before);
		expect(['waiting', 'error']).toContain(list[0]!.status);
		return list[0]!.id;
	});
	const page = await (await fetch(formWaitingUrl, { headers })).text();
	// The page ends the execution in the background.
	await fetch(formWaitingUrl, { method: 'POST', headers });
	return { page, execution: await waitForExecution(session, id) };
}

/**
 * Fills in a form of several pages, and reads the page that a person then sees.
 * @param pages the values of the fields of each page, in their order
 */
export async function fillForm(
	{ url }: Session,
	path: string,
	pages: string[][],
	headers: Record<string, string> = {},
): Promise<string> {
	let address = `${url}/form/${path}`;
	let before = '';
	for (const values of pages) {
		const body = new FormData();
		values.forEach((value, index) => body.set(`field-${index}`, value));
		const response = await fetch(address, { method: 'POST', body, headers });
		const { formWaitingUrl } = (await response.json()) as { formWaitingUrl: string };
		address = formWaitingUrl;
		before = await eventually(async () => {
			const status = new URL(address);
			status.pathname += '/n8n-execution-status';
			expect((await (await fetch(status)).text()).trim()).toBe('form-waiting');
			// While the execution goes on, n8n doesn't answer.
			const response = await fetch(address, { headers, signal: AbortSignal.timeout(5000) });
			const page = await response.text();
			expect(page).not.toBe(before);
			return page;
		});
	}
	// The page ends the execution in the background.
	await fetch(address, { method: 'POST', headers });
	return before;
}
