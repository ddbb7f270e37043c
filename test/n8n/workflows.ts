import mapValues from 'lodash/mapValues';

import { get, post, type Session } from './session';
import { answerOf } from './waiting';

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

const DISTANCE = 220;

/** Puts nodes side by side and connects each one to the next. */
export function connectInOrder(nodes: WorkflowNode[]): Pick<Workflow, 'nodes' | 'connections'> {
	const links = nodes.slice(1).map((node, index) => {
		return [nodes[index]?.name, { main: [[{ node: node.name, type: 'main', index: 0 }]] }];
	});
	return {
		nodes: nodes.map((node, index) => ({ ...node, position: [index * DISTANCE, 0] })),
		connections: Object.fromEntries(links) as object,
	};
}

/** Creates a credential. */
export async function createCredential(session: Session, type: string, name: string, data: object) {
	const { id } = await post<{ id: string }>(session, '/credentials', { type, name, data });
	return { id, name };
}

/** Saves a workflow. Nodes that use a credential of one of the given types get the given credential. */
export async function importWorkflow(
	session: Session,
	workflow: Workflow,
	credentials: Record<string, CredentialReference> = {},
): Promise<SavedWorkflow> {
	const nodes = workflow.nodes.map((node) => ({
		...node,
		...(node.credentials && {
			credentials: mapValues(node.credentials, (original, type) => credentials[type] ?? original),
		}),
	}));
	const { name, connections, settings = {} } = workflow;
	return await post<SavedWorkflow>(session, '/workflows', { name, nodes, connections, settings });
}

/**
 * Publishes the saved version and waits until its webhooks, schedules and polls are active.
 * n8n responds to the request before they are.
 */
export async function publishWorkflow(session: Session, { id, versionId }: SavedWorkflow) {
	const published = await post<SavedWorkflow>(session, `/workflows/${id}/activate`, { versionId });
	await waitForStatus(session, id, 'published');
	return published;
}

/** Unpublishes a workflow and waits until it is inactive. */
export async function unpublishWorkflow(
	session: Session,
	{ id }: Pick<SavedWorkflow, 'id'>,
): Promise<void> {
	await post(session, `/workflows/${id}/deactivate`);
	await waitForStatus(session, id, 'not_published');
}

interface PublicationStatus {
	status: 'in_progress' | 'published' | 'partial' | 'failed' | 'not_published';
	triggers: Array<{ errorMessage: string | null }>;
}

async function waitForStatus(session: Session, id: string, wanted: PublicationStatus['status']) {
	const { status, triggers } = await answerOf(async () => {
		const now = await get<PublicationStatus>(session, `/workflows/${id}/publication-status`);
		return [wanted, 'failed', 'partial'].includes(now.status) ? now : undefined;
	}, `Workflow ${id} to be ${wanted}`);
	if (status === wanted) return;
	const reasons = triggers.map(({ errorMessage }) => errorMessage).filter(Boolean);
	throw new Error(`Workflow ${id} is ${status}, not ${wanted}. ${reasons.join(' ')}`);
}

/** One of n8n's own nodes. */
export const node = (name: string, type: string, typeVersion: number, parameters: object = {}) =>
	({
		name,
		type: `n8n-nodes-base.${type}`,
		typeVersion,
		position: [0, 0],
		parameters,
	}) as WorkflowNode;

/** Nodes that give items. */
export function itemsNodes(items: object[]): WorkflowNode[] {
	const jsonOutput = JSON.stringify({ items });
	return [
		node('List', 'set', 3.4, { mode: 'raw', jsonOutput, options: {} }),
		node('Items', 'splitOut', 1, { fieldToSplitOut: 'items', options: {} }),
	];
}
