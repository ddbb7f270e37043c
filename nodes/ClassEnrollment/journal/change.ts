import type { IDataObject } from 'n8n-workflow';
import { omitUndefined } from '../values/omitUndefined';

/** What a row changes in the service. */
export interface Change {
	itemIndex: number;
	/** Where it is sent: service, method and path. */
	destination: string;
	/** Whom it is about, such as a student, in lower case. */
	subject: string;
	/** What else is sent. Of a list in it, such as the classes, each entry counts by itself. */
	body: IDataObject;
	/** Whether it does no harm to make it once more, as with an addition. */
	mayBeRepeated: boolean;
	/** Stands for what the user wrote in the node's parameters. */
	parametersHash: string;
}

/** What was sent, but for subject and lists, and what came of it. */
export interface Done {
	sent: IDataObject;
	result: unknown;
}

/**
 * What has become of a row so far:
 * - `open`: nothing.
 * - `unknown`: it may have been done.
 * - `outdated`: an earlier try has done it, but with other values, or before an earlier item that is to be sent again.
 * - `done`: it need not be sent any more.
 */
export type RowState = { is: 'open' | 'unknown' | 'outdated' } | ({ is: 'done' } & Done);

/** Where and about whom a change is made, as JSON: once, or for each entry of its lists. */
export function targetsOf({ destination, subject, body }: Change): string[] {
	const entries: unknown[] = Object.values(body).filter(Array.isArray).flat();
	const targets = entries.map((entry) => JSON.stringify([destination, subject, entry]));
	return targets.length > 0 ? targets : [JSON.stringify([destination, subject])];
}

/** What is said about each target. */
export function valuesOf({ body }: Change): IDataObject {
	const values = omitUndefined(body);
	for (const name in values) if (Array.isArray(values[name])) delete values[name];
	return values;
}
