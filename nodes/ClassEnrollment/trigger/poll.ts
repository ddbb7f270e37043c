import {
	type IDataObject,
	type INodeExecutionData,
	type IPollFunctions,
	NodeOperationError,
} from 'n8n-workflow';
import { CLASSES_PER_PAGE, createPageReader, type ReadPage } from '../classes/classPages';
import { readClasses } from '../classes/readClasses';
import { openClient } from '../fields/client';
import { toNodeError } from '../operation/nodeError';
import { quote } from '../values/invalidValue';
import { parseOptionalText } from '../values/text';
import { readEvent } from './events';
import type { Memory } from './seen';

// Switching the workflow off and on within this time loses nothing; after a longer break it starts anew.
const LONGEST_BREAK_MS = 5 * 60_000;
const polledBefore = new WeakSet<IPollFunctions>();

/** What the static data of the node holds. */
interface StaticData extends IDataObject {
	/** The parameters that the memory belongs to. */
	watching?: string;
	polledAt?: number;
	memory?: Memory & IDataObject;
}

/**
 * Looks for what is new since the last poll; the first one after activation only takes note of what there is.
 * A manual test gives a real class as a sample. A poll that fails changes nothing, so that the next one finds it.
 */
export async function poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	const event = String(this.getNodeParameter('event'));
	try {
		const query = parseOptionalText(this.getNodeParameter('query', ''), 'Name Contains');
		const detect = readEvent(event, (name) =>
			this.getNodeParameter(name, null as unknown as object),
		);
		const send = await openClient(this, {});
		const readPage = createPageReader(send, { query });
		if (this.getMode() === 'manual') return asOutput([await sample(this, readPage, event, query)]);

		const list = await readClasses(readPage, { pageSize: CLASSES_PER_PAGE, limit: Infinity });
		const data: StaticData = this.getWorkflowStaticData('node');
		const watching = JSON.stringify([event, query]);
		const startsAnew = isFreshStart(this, data) || data.watching !== watching;
		const before = startsAnew ? undefined : data.memory;
		const { classes, memory } = detect(before, list);
		Object.assign(data, { watching, polledAt: Date.now(), memory });
		return classes.length === 0 ? null : asOutput(classes);
	} catch (error) {
		throw toNodeError(this.getNode(), error, 0, 'trigger');
	}
}

/** Whether the user switched the workflow on after a break, rather than n8n going on with one that is on. */
function isFreshStart(context: IPollFunctions, { polledAt = 0 }: StaticData): boolean {
	const isFirst = !polledBefore.has(context);
	polledBefore.add(context);
	return (
		isFirst &&
		context.getActivationMode() === 'activate' &&
		Date.now() - polledAt > LONGEST_BREAK_MS
	);
}

async function sample(
	context: IPollFunctions,
	readPage: ReadPage,
	event: string,
	query: string | undefined,
): Promise<IDataObject> {
	const [first] = (await readClasses(readPage, { pageSize: 1, limit: 1 })).classes;
	if (!first) {
		throw new NodeOperationError(context.getNode(), 'No class to use as a sample', {
			description:
				query === undefined
					? 'Create a class in the service, then test again.'
					: `No class name contains ${quote(query)}. Change 'Name Contains' or create one.`,
		});
	}
	if (event !== 'studentCountChanged') return first;
	return { ...first, previousCountStudents: first.countStudents };
}

function asOutput(classes: IDataObject[]): INodeExecutionData[][] {
	return [classes.map((json) => ({ json }))];
}
