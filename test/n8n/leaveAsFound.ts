import { get, post, remove, type Session } from './session';
import { unpublishWorkflow } from './workflows';

/** What the tests create in an n8n, in the order in which it can be removed. */
const KINDS = ['workflows', 'credentials', 'dataTables'] as const;
type Kind = (typeof KINDS)[number];

interface Entry {
	id: string;
}

/** Remembers what there is in an n8n; returns a function that removes everything else. */
export async function leaveAsFound(session: Session): Promise<() => Promise<void>> {
	const found = new Map<Kind, Set<string>>();
	for (const kind of KINDS) {
		found.set(kind, new Set((await list(session, kind)).map(({ id }) => id)));
	}
	return async () => {
		for (const kind of KINDS) {
			const added = (await list(session, kind)).filter(({ id }) => !found.get(kind)!.has(id));
			for (const { id } of added) await removeEntry(session, kind, id);
		}
	};
}

async function list(session: Session, kind: Kind): Promise<Entry[]> {
	// n8n lists credentials as an array, and the others with their count.
	if (kind === 'credentials') return await get<Entry[]>(session, '/credentials');
	const path = kind === 'workflows' ? '/workflows' : tables(session);
	const entries: Entry[] = [];
	for (;;) {
		const page = await get<Entry[] | { data: Entry[] }>(
			session,
			`${path}?skip=${entries.length}&take=100`,
		);
		const data = Array.isArray(page) ? page : page.data;
		entries.push(...data);
		if (data.length === 0) return entries;
	}
}

async function removeEntry(session: Session, kind: Kind, id: string): Promise<void> {
	// n8n deletes only archived workflows, and none that is still being unpublished.
	if (kind === 'workflows') {
		await unpublishWorkflow(session, { id });
		await post(session, `/workflows/${id}/archive`);
	}
	await remove(session, `${kind === 'dataTables' ? tables(session) : `/${kind}`}/${id}`);
}

const tables = ({ projectId }: Session) => `/projects/${projectId}/data-tables`;
