import { type IDataObject, type IPollFunctions, UserError } from 'n8n-workflow';
import { readCredential } from '../connection/credential';
import { readClassList } from '../classes/readClassList';
import { filtersField, readNameFilter } from '../fields/filters';
import { assertNoTemplates } from '../fields/templates';
import { readRequestSettings } from '../fields/requestOptions';
import { describeError, toNodeError } from '../operation/nodeError';
import { CREDENTIAL_TYPE } from '../transport/http';
import { quote } from '../values/invalidValue';
import { readEvent } from './chooseEvent';
import type { Seen } from './event';

// n8n 2.0 does not say how long a poll may take.
const DEFAULT_BUDGET_MS = 300_000;
// How long n8n may take to store what a poll saw.
const STORING_TAKES_MS = 30_000;

const pollsUnderWay = new Set<string>();
/** Of each trigger, the stored state from which the last poll that reported something started, and when. */
const lastReports = new Map<string, { state: string; at: number }>();

/** The trigger's static data in n8n. */
interface StaticData {
	/** Event, name filter, Base URL and credential of the last poll. */
	watched?: string;
	seen?: Seen;
}

/**
 * Finds what changed since the last poll, whatever happened in between. The first poll, and the first that watches
 * something else, only records the current state. A poll that fails changes nothing, so that the next one catches up.
 * A manual test returns a real class as a sample.
 */
export async function poll(this: IPollFunctions) {
	try {
		const classes = await (this.getMode() === 'manual' ? readSample(this) : readChanges(this));
		return classes.length === 0 ? null : [classes.map((json) => ({ json }))];
	} catch (error) {
		throw toNodeError(this.getNode(), error, 0, describeError(error, 'trigger'));
	}
}

async function readChanges(context: IPollFunctions): Promise<IDataObject[]> {
	// By its name: two triggers may have the same ID, if one was copied in an older n8n.
	const trigger = `${context.getWorkflow().id} ${context.getNode().name}`;
	// The next poll finds what this one would.
	if (pollsUnderWay.has(trigger)) return [];
	pollsUnderWay.add(trigger);
	try {
		const { event, nameFilter, findChanges, baseUrl, list } = await readEventAndClasses(context);
		const data: StaticData = context.getWorkflowStaticData('node');
		const credential = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id;
		const watched = JSON.stringify([event.value, nameFilter, baseUrl, credential]);
		const before = data.watched === watched ? data.seen : undefined;
		const { classes, seen } = findChanges({ classes: list, nameFilter, before });
		if (classes.length > 0 && wasReported(trigger, data)) return [];
		Object.assign(data, { watched, seen });
		return classes;
	} finally {
		pollsUnderWay.delete(trigger);
	}
}

/** Whether another poll has just reported what a poll from this state finds: n8n's durable scheduler may start two from one state. */
function wasReported(trigger: string, data: StaticData): boolean {
	const state = JSON.stringify(data);
	const last = lastReports.get(trigger);
	if (last?.state === state && Date.now() - last.at < STORING_TAKES_MS) return true;
	lastReports.set(trigger, { state, at: Date.now() });
	return false;
}

async function readSample(context: IPollFunctions): Promise<IDataObject[]> {
	const { event, nameFilter, list } = await readEventAndClasses(context, 1);
	if (list.length === 0) {
		const description =
			nameFilter === undefined
				? 'Create a class in the service, then test again.'
				: `No class name contains ${quote(nameFilter)}. Change 'Name Contains' or create a matching class.`;
		throw new UserError('No class found to use as sample data', { description });
	}
	return event.toSample ? list.map(event.toSample) : list;
}

/** Reads what the trigger watches, and all classes or at most so many. It gives up before n8n abandons the poll. */
async function readEventAndClasses(context: IPollFunctions, limit?: number) {
	const get = (name: string): unknown => context.getNodeParameter(name, null);
	const event = readEvent(get);
	const findChanges = event.watch(get);
	assertNoTemplates([filtersField], context.getNode().parameters);
	const nameFilter = readNameFilter(get('filters'));
	const access = await readCredential(context);
	// Missing in n8n 2.0.
	const budget = (context as { getPollBudgetMs?: () => number }).getPollBudgetMs?.();
	const budgetMs = Math.round(budget ?? DEFAULT_BUDGET_MS);
	const settings = readRequestSettings({});
	const list = await readClassList(context, access, settings, budgetMs, { nameFilter, limit });
	return { event, findChanges, nameFilter, baseUrl: access.baseUrl, list };
}
