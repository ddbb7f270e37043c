import type { IDataObject } from 'n8n-workflow';

/** What a row changes in the service: as much of it as tells it from others. */
export interface Change {
	itemIndex: number;
	/** The student, in lower case. */
	email: string;
	/** Where and about whom it is made: once, or for each of its classes. No part contains another line break. */
	targets: string[];
	/** What it says about the student. */
	values: IDataObject;
	/** Whether a later one is taken to overwrite it without harm, as with additions: so it may be made again, in order. */
	mayBeRepeated: boolean;
	/** Stands for what the user wrote in the node's parameters. */
	parametersHash: string;
}

/** What was said about the student, and what came of it. */
export interface Done {
	values: IDataObject;
	result: unknown;
}

/**
 * What has become of a row so far:
 * - `open`: nothing was sent, or nothing that the service has processed.
 * - `refused`: the service refused it by itself.
 * - `refusedTogether`: the service refused a request that contained more rows. It may have done some of them, so that to
 *   the next try it is `unknown`.
 * - `refusedInPart`: so it is where the request contained more classes.
 * - `unknown`: it may have been done.
 * - `outdated`: an earlier try has done it, but only in part, or with other values, or something has overwritten it or will.
 * - `done`: it need not be sent any more.
 */
export type RowState =
	| { is: 'open' | 'refused' | 'refusedTogether' | 'refusedInPart' | 'unknown' | 'outdated' }
	| ({ is: 'done' } & Done);
