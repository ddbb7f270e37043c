import { setTimeout as sleep } from 'node:timers/promises';

import { get, patch, post, type Session } from './session';

export interface WorkflowNode {
	name: string;
	type: string;
	typeVersion: number;
	position: [number, number];
	parameters: object;
	credentials?: Record<string, CredentialReference>;
	[setting: string]: unknown;
}

/** A workflow as n8n exports it. */
export interface Workflow {
	name: string;
	nodes: WorkflowNode[];
	connections: object;
	settings?: object;
}

export interface CredentialReference {
	id: string | null;
	name: string;
}

export interface SavedWorkflow extends Workflow {
	id: string;
	versionId: string;
	active: boolean;
}

const PUBLICATION_TIMEOUT_MS = 30_000;
const POLL_MS = 100;

export async function createCredential(
	session: Session,
	type: string,
	name: string,
	data: object,
): Promise<CredentialReference> {
	const { id } = await post<{ id: string }>(session, '/credentials', { type, name, data });
	return { id, name };
}

/** What the editor shows on saving a credential. */
export async function testCredential(
	session: Session,
	credential: CredentialReference,
	type: string,
	data: object,
): Promise<{ status: 'OK' | 'Error'; message: string }> {
	return await post(session, '/credentials/test', { credentials: { ...credential, type, data } });
}

/** Saves a workflow; nodes that name a credential of one of the given types get the given one. */
export async function importWorkflow(
	session: Session,
	workflow: Workflow,
	credentials: Record<string, CredentialReference> = {},
): Promise<SavedWorkflow> {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.credentials && {
			credentials: Object.fromEntries(
				Object.entries(node.credentials).map(([type, own]) => [type, credentials[type] ?? own]),
			),
		}),
	}));
	const { name, connections, settings = {} } = workflow;
	return await post<SavedWorkflow>(session, '/workflows', { name, nodes, connections, settings });
}

export async function updateWorkflow(
	session: Session,
	workflow: SavedWorkflow,
	changes: Partial<Workflow>,
): Promise<SavedWorkflow> {
	return await patch<SavedWorkflow>(session, `/workflows/${workflow.id}`, {
		versionId: workflow.versionId,
		...changes,
	});
}

/**
 * Publishes the saved version and waits until its webhooks, schedules and polls are live:
 * n8n answers the request before they are.
 */
export async function publishWorkflow(
	session: Session,
	workflow: SavedWorkflow,
): Promise<SavedWorkflow> {
	const { versionId } = workflow;
	const published = await post<SavedWorkflow>(session, `/workflows/${workflow.id}/activate`, {
		versionId,
	});
	await settle(session, workflow.id, 'published');
	return published;
}

export async function unpublishWorkflow(session: Session, workflow: SavedWorkflow): Promise<void> {
	await post(session, `/workflows/${workflow.id}/deactivate`);
	await settle(session, workflow.id, 'not_published');
}

interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ errorMessage: string | null }>;
}

async function settle(
	session: Session,
	id: string,
	wanted: PublicationStatus['status'],
): Promise<void> {
	const deadline = Date.now() + PUBLICATION_TIMEOUT_MS;
	for (;;) {
		const { status, triggers } = await get<PublicationStatus>(
			session,
			`/workflows/${id}/publication-status`,
		);
		if (status === wanted) return;
		if (status === 'failed' || status === 'partial' || Date.now() > deadline) {
			const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
			throw new Error(`Workflow ${id} is ${status}, not ${wanted}. ${reasons.join(' ')}`);
		}
		await sleep(POLL_MS);
	}
}
