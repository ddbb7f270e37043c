import { setTimeout as sleep } from 'node:timers/promises';

import { jsonOf, listExecutions, waitForExecution, type Execution } from '../../n8n/executions';
import { publishWorkflow, unpublishWorkflow } from '../../n8n/workflows';
import { eventually } from '../../n8n/waiting';
import { saveWorkflow, trigger } from '../workflows';
import { startWorld } from '../world';
import { POLL_TIMES, SCHEDULERS, type Scheduler } from './schedulers';

const TRIGGER = 'Watch';

/** The workflows, by what they watch. */
const WATCHERS = {
	created: { event: 'classCreated' },
	updated: { event: 'classUpdated' },
	increased: { event: 'studentCountChanged', direction: 'increased' },
} as const;
const NAMES = Object.keys(WATCHERS) as Watcher[];

type Watcher = keyof typeof WATCHERS;

/** What the workflows started with: by workflow, the names of the classes. */
type Reports = Partial<Record<Watcher, string[]>>;

export type Watchers = Awaited<ReturnType<typeof startWatchers>>;

/** What a function returns for each workflow. */
async function ofEach<T>(read: (watcher: Watcher) => Promise<T>): Promise<Record<Watcher, T>> {
	const entries = NAMES.map(async (watcher) => [watcher, await read(watcher)] as const);
	return Object.fromEntries(await Promise.all(entries)) as Record<Watcher, T>;
}

/** Starts an n8n with one workflow for each event. */
export async function startWatchers(scheduler: Scheduler) {
	const world = await startWorld({ env: SCHEDULERS[scheduler] });
	const { session } = world;
	const workflows = await ofEach(async (name) => {
		const parameters = { ...WATCHERS[name], pollTimes: POLL_TIMES };
		return await saveWorkflow(world, name, [trigger(TRIGGER, parameters)]);
	});

	const executions = new Map<string, Execution>();
	/** All executions of a workflow, the oldest first. */
	async function readExecutions(watcher: Watcher): Promise<Execution[]> {
		const summaries = await listExecutions(session, workflows[watcher].id);
		for (const { id } of summaries) {
			if (!executions.has(id)) executions.set(id, await waitForExecution(session, id));
		}
		return summaries.map(({ id }) => executions.get(id)!).reverse();
	}

	const checked = new Set<Execution>();
	async function readNew(watcher: Watcher): Promise<Execution[]> {
		const all = await readExecutions(watcher);
		return all.filter((execution) => execution.status === 'success' && !checked.has(execution));
	}
	/** What the workflow for an event started with, since the last `expectReports`. */
	const readItems = async (watcher: Watcher) =>
		(await readNew(watcher)).flatMap((execution) => jsonOf(execution, TRIGGER));

	const readReports = async () =>
		await ofEach(async (watcher) =>
			(await readItems(watcher)).map(({ name }) => String(name)).sort(),
		);

	/** Waits until every workflow has polled so many times since now. */
	async function waitForPolls(count: number): Promise<void> {
		const { service } = world;
		const before = service.requests.length;
		// One request each, at the same time.
		await eventually(() => {
			expect(service.requests.length).toBeGreaterThanOrEqual(before + NAMES.length * count);
		});
		// n8n lists what a poll starts a moment later. The next expectReports would fail because of what comes later still.
		await sleep(1500);
	}

	return {
		world,
		async publish() {
			for (const name of NAMES) await publishWorkflow(session, workflows[name]);
		},
		async unpublish() {
			for (const name of NAMES) await unpublishWorkflow(session, workflows[name]);
		},
		/** Waits for these reports since the last call, and two polls longer for others. */
		async expectReports(expected: Reports) {
			const all = { created: [], updated: [], increased: [], ...expected };
			try {
				if (NAMES.some((name) => all[name].length > 0)) {
					await eventually(async () => expect(await readReports()).toEqual(all));
				}
				await waitForPolls(2);
				expect(await readReports()).toEqual(all);
			} finally {
				for (const name of NAMES) (await readNew(name)).forEach((one) => checked.add(one));
			}
		},
		readItems,
		/** The messages of failed polls, by workflow, since the beginning. */
		readFailures: async () =>
			await ofEach(async (watcher) =>
				(await readExecutions(watcher)).flatMap(({ error }) => (error ? [error.message] : [])),
			),
		stop: world.stop,
	};
}
