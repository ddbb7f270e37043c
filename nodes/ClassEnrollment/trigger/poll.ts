import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { createPageReader } from '../classes/classPages';
import { type ClassList, readClasses } from '../classes/readClasses';
import { openClient } from '../connection/openClient';
import { readCredential } from '../connection/credential';
import { readNameFilter } from '../fields/filters';
import { readRequestSettings } from '../connection/requestOptions';
import { toNodeError } from '../operation/nodeError';
import { CREDENTIAL_TYPE, type ServiceAccess } from '../transport/http';
import { ServiceError, TRY_LATER, tryAgainAt, wasCancelled } from '../transport/serviceError';
import { quote } from '../values/invalidValue';
import { readEvent } from './chooseEvent';
import { isSeen } from './known';

// n8n 2.0 does not say how long a poll may take.
const DEFAULT_BUDGET_MS = 300_000;
// How long n8n may take to store what a poll saw.
const STORING_TAKES_MS = 30_000;

const pollsUnderWay = new Set<string>();
/** The last report of each trigger: how many there were by then, and when it was made. */
const lastReports = new Map<string, { count: number; at: number }>();

/** What n8n stores for the trigger. */
interface StaticData {
	/** What the last poll watched: event, name filter, Base URL and credential. */
	watched?: string;
	seen?: unknown;
	/** How many polls have reported something: identifies the state from which a poll starts. */
	reportCount?: number;
}

/**
 * Finds what changed since the last poll, whatever happened in between. The first poll, and the first that watches
 * something else, only records the current state. A poll that fails changes nothing, so that the next one catches up.
 * A manual test returns a real class as a sample.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		const classes = await (this.getMode() === 'manual' ? readSample(this) : readChanges(this));
		return classes.length === 0 ? null : [classes.map((json) => ({ json }))];
	} catch (error) {
		throw toNodeError(this.getNode(), error, 0, 'trigger');
	}
}

async function readChanges(context: IPollFunctions): Promise<IDataObject[]> {
	const trigger = `${context.getWorkflow().id} ${context.getNode().id}`;
	// The next poll finds what this one would.
	if (pollsUnderWay.has(trigger)) return [];
	pollsUnderWay.add(trigger);
	try {
		const { event, query, findChanges } = readWatch(context);
		const access = await readCredential(context);
		const list = await readList(context, access, query, Infinity);
		const data: StaticData = context.getWorkflowStaticData('node');
		const credential = context.getNode().credentials?.[CREDENTIAL_TYPE]?.id;
		const watched = JSON.stringify([event.value, query, access.baseUrl, credential]);
		const before = data.watched === watched && isSeen(data.seen) ? data.seen : undefined;
		const { classes, seen } = findChanges({ ...list, query, before });
		if (classes.length > 0) {
			// n8n's durable scheduler may start two polls from the same stored state: the second one finds the same.
			const count = (data.reportCount ?? 0) + 1;
			const last = lastReports.get(trigger);
			if (last && last.count >= count && Date.now() - last.at < STORING_TAKES_MS) return [];
			lastReports.set(trigger, { count, at: Date.now() });
			data.reportCount = count;
		}
		Object.assign(data, { watched, seen });
		return classes;
	} finally {
		pollsUnderWay.delete(trigger);
	}
}

async function readSample(context: IPollFunctions): Promise<IDataObject[]> {
	const { event, query } = readWatch(context);
	const { classes } = await readList(context, await readCredential(context), query, 1);
	if (classes.length === 0) {
		throw new NodeOperationError(context.getNode(), 'No class found to use as sample data', {
			description:
				query === undefined
					? 'Create a class in the service, then test again.'
					: `No class name contains ${quote(query)}. Change 'Name Contains' or create a matching class.`,
		});
	}
	return event.toSample ? classes.map(event.toSample) : classes;
}

function readWatch(context: IPollFunctions) {
	const get = (name: string): unknown => context.getNodeParameter(name, null as unknown as object);
	const event = readEvent(get);
	return { event, findChanges: event.watch(get), query: readNameFilter(get('filters')) };
}

/** Reads the class list; gives up before n8n abandons the poll, whose result would be lost. */
async function readList(
	context: IPollFunctions,
	access: ServiceAccess,
	query: string | undefined,
	limit: number,
): Promise<ClassList> {
	// Missing in n8n 2.0.
	const { getPollBudgetMs } = context as { getPollBudgetMs?: () => number };
	const budgetMs = Math.round(getPollBudgetMs?.() ?? DEFAULT_BUDGET_MS);
	const budget = AbortSignal.timeout(budgetMs);
	const settings = readRequestSettings({});
	const client = openClient(context, access, settings, { signal: budget }, budget);
	return await readClasses(createPageReader(client, { query }), { limit }).catch(
		(error: unknown) => {
			throw wasCancelled(error) ? tookTooLong(budgetMs) : adviseToWait(error);
		},
	);
}

/** The usual advice for a rate limit names settings that a trigger does not have. */
function adviseToWait(error: unknown): unknown {
	if (!(error instanceof ServiceError) || error.failure.fate !== 'limited') return error;
	const advice = tryAgainAt(error.failure.retryAfterMs) ?? "Poll less often: change 'Poll Times'.";
	return new ServiceError({ ...error.failure, advice });
}

function tookTooLong(budgetMs: number): ServiceError {
	const seconds = Math.round(budgetMs / 1000);
	return new ServiceError({
		message: `Reading the class list took longer than ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`,
		advice: TRY_LATER,
		fate: 'silent',
	});
}
