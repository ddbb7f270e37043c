import type { IDataObject, IExecuteData } from 'n8n-workflow';
import type { Outcome } from '../transport/outcome';
import { toObject } from '../values/json';

/** A change in the service, as far as the journal needs it to tell changes apart. */
export interface Change {
	itemIndex: number;
	/** A hash of the node's parameters. */
	parametersHash: string;
	/** Service, class, and student: one target for each class, or a single one. */
	targets: string[];
	/** The values that it sends about the student. */
	values: IDataObject;
	/** A removal is final. An addition is overwritten by a later one with the same target. */
	isRemoval: boolean;
}

/** What the service returned. */
export interface Reply {
	json: unknown;
	/** When it was asked, in milliseconds since 1970; omitted of a read. */
	sentAt?: number;
}

/** What is kept of a row that is done: its output is made from this. */
export interface Receipt {
	/** The values that were sent about the student. */
	values: IDataObject;
	/** One object for all rows of a request, so that n8n saves it once. */
	reply: Reply;
}

/** The result of a row: the outcome, with the receipt, or the error. */
export type RowResult =
	| { outcome: 'done'; receipt: Receipt; error?: undefined }
	| { outcome: Exclude<Outcome, 'done'>; error?: unknown };

/** The changes that the attempts of one node run have made in the service, for `recall`. */
export interface Journal {
	/** When the first attempt began, in milliseconds since 1970. Durations count from there in every attempt. */
	startedAt: number;
	/** The changes that were made, or may have been, of each target, in their order. */
	entries: Map<string, Entry[]>;
	/** The access tokens of this attempt, in the order of their first use. No token may be saved, so a target contains its index here. */
	tokens: string[];
}

/** A change of one target. */
export interface Entry extends Pick<Change, 'itemIndex' | 'parametersHash' | 'isRemoval'> {
	/** Missing if the outcome is unknown, until an attempt succeeds. */
	receipt?: Receipt;
}

/** The form of a saved journal. An execution that failed before an update of the node can be retried after it. */
const VERSION = 1;

/** A journal as n8n saves it with a failed execution. */
export interface SavedJournal extends Pick<Journal, 'startedAt'> {
	version: typeof VERSION;
	entries: Array<[target: string, Entry[]]>;
}

/** By node run. */
const journals = new WeakMap<IExecuteData | IDataObject, Journal>();

/**
 * Opens the journal of a node run. n8n's Retry On Fail runs a node again with the same
 * object; every other run, and every round of a loop, has one of its own.
 * @param key identifies the node run: n8n's execute data, or the arguments of a tool call
 * @param saved the journal that a failed execution saved, if this is n8n's Retry of it
 */
export function openJournal(key: IExecuteData | IDataObject, saved?: SavedJournal): Journal {
	const journal = journals.get(key) ?? {
		startedAt: saved?.startedAt ?? Date.now(),
		entries: new Map(saved?.entries),
		tokens: [],
	};
	journals.set(key, journal);
	return journal;
}

/** Records the result of a change. One that was rejected or not processed changes nothing. */
export function record({ entries }: Journal, change: Change, result: RowResult): void {
	if (result.outcome === 'rejected' || result.outcome === 'notProcessed') return;
	const { itemIndex, parametersHash, isRemoval, targets } = change;
	const receipt = result.outcome === 'done' ? result.receipt : undefined;
	const entry = { itemIndex, parametersHash, isRemoval, receipt };
	for (const target of targets) entries.set(target, [...(entries.get(target) ?? []), entry]);
}

/** Converts a journal to JSON, which n8n saves with a failed execution. */
export function toSaved({ startedAt, entries }: Journal): SavedJournal {
	return { version: VERSION, startedAt, entries: [...entries] };
}

/** Whether this is a journal that can be restored. */
export function isSavedJournal(saved: unknown): saved is SavedJournal {
	return toObject(saved).version === VERSION;
}
