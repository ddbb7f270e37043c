import { setTimeout as sleep } from 'node:timers/promises';

import { jsonOf, listExecutions, waitForExecution, type Execution } from '../../n8n/executions';
import { publishWorkflow, unpublishWorkflow } from '../../n8n/workflows';
import { startService, type Service } from '../../service/service';
import { eventually } from '../../n8n/waiting';
import { saveWorkflow, trigger } from '../workflows';
import { startWorld, type World } from '../world';
import { POLL_TIMES, SCHEDULERS, type Scheduler } from './schedulers';

const TRIGGER = 'Watch';

/** The workflows, by what they watch. */
const WATCHERS = {
	created: { event: 'classCreated' },
	updated: { event: 'classUpdated' },
	increased: { event: 'studentCountChanged', direction: 'increased' },
} as const;
const NAMES = Object.keys(WATCHERS) as Watcher[];

export type Watcher = keyof typeof WATCHERS;

/** What the workflows started with: by workflow, the names of the classes. */
export type Reports = Partial<Record<Watcher, string[]>>;

/** An n8n with one workflow for each event. */
export interface Watchers {
	world: World;
	/** Another service, which n8n does not know yet. */
	otherService: Service;
	publish: () => Promise<void>;
	unpublish: () => Promise<void>;
	/** Waits until every workflow has polled so many times since now. */
	waitForPolls: (count: number, service?: Service) => Promise<void>;
	/** Waits for these reports since the last call, and two polls longer for others. */
	expectReports: (expected: Reports, service?: Service) => Promise<void>;
	/** What the workflow for an event started with, since the last `expectReports`. */
	readItems: (watcher: Watcher) => Promise<Array<Record<string, unknown>>>;
	/** The messages of failed polls, by workflow, since the beginning. */
	readFailures: () => Promise<Record<Watcher, string[]>>;
	stop: () => Promise<void>;
}

/** What a function returns for each workflow. */
async function ofEach<T>(read: (watcher: Watcher) => Promise<T>): Promise<Record<Watcher, T>> {
	const entries = NAMES.map(async (watcher) => [watcher, await read(watcher)] as const);
	return Object.fromEntries(await Promise.all(entries)) as Record<Watcher, T>;
}

export async function startWatchers(scheduler: Scheduler): Promise<Watchers> {
	const world = await startWorld({ env: SCHEDULERS[scheduler] });
	const otherService = await startService();
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
	const readItems = async (watcher: Watcher) =>
		(await readNew(watcher)).flatMap((execution) => jsonOf(execution, TRIGGER));

	const readReports = async () =>
		await ofEach(async (watcher) => (await readItems(watcher)).map(({ name }) => `${name}`).sort());

	async function waitForPolls(count: number, service = world.service): Promise<void> {
		const before = service.requests.length;
		// One request each, at the same time.
		await eventually(() => {
			expect(service.requests.length).toBeGreaterThanOrEqual(before + NAMES.length * count);
		});
		// Time for what the polls start.
		await sleep(1500);
	}

	return {
		world,
		otherService,
		async publish() {
			for (const name of NAMES) await publishWorkflow(session, workflows[name]);
		},
		async unpublish() {
			for (const name of NAMES) await unpublishWorkflow(session, workflows[name]);
		},
		waitForPolls,
		async expectReports(expected, service) {
			const all = { created: [], updated: [], increased: [], ...expected };
			try {
				if (NAMES.some((name) => all[name].length > 0)) {
					await eventually(async () => expect(await readReports()).toEqual(all));
				}
				await waitForPolls(2, service);
				expect(await readReports()).toEqual(all);
			} finally {
				for (const name of NAMES) (await readNew(name)).forEach((one) => checked.add(one));
			}
		},
		readItems,
		readFailures: async () =>
			await ofEach(async (watcher) =>
				(await readExecutions(watcher)).flatMap(({ error }) => (error ? [error.message] : [])),
			),
		async stop() {
			await world.stop();
			await otherService.close();
		},
	};
}
