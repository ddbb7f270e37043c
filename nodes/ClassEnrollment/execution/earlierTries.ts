import { createHash } from 'node:crypto';
import groupBy from 'lodash/groupBy';
import isEqual from 'lodash/isEqual';
import omit from 'lodash/omit';
import omitBy from 'lodash/omitBy';
import pickBy from 'lodash/pickBy';
import type { IDataObject, IExecuteData, INode } from 'n8n-workflow';
import { isObject } from '../values/json';
import { omitUndefined } from '../values/omitUndefined';

/** What a row changes in the service. */
export interface Change {
	itemIndex: number;
	/** Service, method and path. */
	request: string;
	/** What it is about, such as a student, in lower case. */
	subject: string;
	body?: IDataObject;
	/** Whether it does no harm to make it once more, as with an addition. */
	mayBeRepeated: boolean;
}

/** What became of a change. */
export interface ChangeSoFar {
	/** What was sent, and what came of it, if it was made. */
	made?: { body: IDataObject; result: unknown };
	/** Whether it may have been made. */
	isUnknown?: boolean;
}

/** The form of the record. One that older records do not fit needs another number. */
const FORM = 1;

/**
 * A change that was made, under what the user had written then: what was sent, but for the subject, and what came of it.
 * Without these, it may have been made.
 */
type Noted = [
	itemIndex: number,
	request: string,
	subject: string,
	wording?: string,
	body?: IDataObject,
	result?: unknown,
];

/** What became of the changes in earlier tries of a node run, as JSON that n8n can save with an execution. */
export interface EarlierTries {
	form: typeof FORM;
	/** When the first try began, in milliseconds since 1970. Durations count from there in every try. */
	startedAt: number;
	/** What may have been made stays so until a try succeeds. */
	changes: Noted[];
	/** Whether the failed execution saved something else, so that nobody knows what it did. */
	isUnreadable?: true;
}

const triesByRun = new WeakMap<IExecuteData | IDataObject, EarlierTries>();

/**
 * Returns what earlier tries of the same node run have done, so that it is not done again. n8n's Retry On Fail runs
 * a node again with the same object; every other run, and every round of a loop, has one of its own.
 * @param run n8n's execute data, or the arguments of a tool call
 * @param saved what a failed execution saved, if this is n8n's Retry of it
 */
export function earlierTriesOf(run: IExecuteData | IDataObject, saved?: unknown): EarlierTries {
	const tries = triesByRun.get(run) ?? restore(saved);
	triesByRun.set(run, tries);
	return tries;
}

function restore(saved: unknown): EarlierTries {
	const none: EarlierTries = { form: FORM, startedAt: Date.now(), changes: [] };
	if (saved === undefined) return none;
	const isReadable = isObject(saved) && saved.form === FORM && Array.isArray(saved.changes);
	return isReadable ? { ...none, ...saved } : { ...none, isUnreadable: true };
}

/** Whether nothing was changed before in the same run of the node. */
export function isFirstTry({ changes, isUnreadable }: EarlierTries): boolean {
	return changes.length === 0 && !isUnreadable;
}

/** Stands for what the user wrote: the node's parameters, but for those that only say how to send, and the time zone. */
export function wordingOf({ parameters }: INode, timezone: string): string {
	const wording = JSON.stringify([timezone, omit(parameters, 'requestOptions', 'options')]);
	return createHash('sha256').update(wording).digest('base64');
}

/**
 * Returns what earlier tries have made of changes, in their order. A change counts as made if the user wrote the same
 * then, since only time can have changed it, or else if the same would be sent. If an addition is to be made again, those
 * after it with the same subject follow, or the earlier one would have the last word.
 * @param isComplete whether these are all changes of the run: then an addition that nobody asks for any more counts, too
 */
export function recall(
	tries: EarlierTries,
	wording: string,
	changes: Change[],
	isComplete: boolean,
): ChangeSoFar[] {
	if (tries.changes.length === 0) return changes.map(() => ({}));
	const notedOf = groupBy(tries.changes, keyOf);
	const indexesOf = groupBy(changes, targetOf);
	const open = new Map<string, number>();
	const known = changes.map((change): ChangeSoFar => {
		const { itemIndex, mayBeRepeated } = change;
		const target = targetOf(change);
		const noted = notedOf[target] ?? [];
		const wanted = indexesOf[target]!.map((other) => other.itemIndex);
		const isOther = isComplete && noted.some(([index]) => !wanted.includes(index));
		const own = noted.find(([index]) => index === itemIndex);
		const made = asMade(own, wording, change);
		if (made && !(mayBeRepeated && (isOther || open.has(target)))) return { made };
		if (mayBeRepeated && !open.has(target)) open.set(target, isOther ? 0 : itemIndex);
		return { isUnknown: own && !own[4] };
	});
	// What is to be made again, and what follows it, is no longer made.
	tries.changes = tries.changes.filter(
		(noted) => !noted[4] || noted[0] < (open.get(keyOf(noted)) ?? Infinity),
	);
	return known;
}

function asMade(noted: Noted | undefined, wording: string, change: Change): ChangeSoFar['made'] {
	if (!noted?.[4]) return undefined;
	const [, , , wordingThen, sent, result] = noted;
	const [subject, body] = divideBody(change);
	const isSame = wordingThen === wording || isEqual(sent, body);
	return isSame ? { body: { ...subject, ...sent }, result } : undefined;
}

/** Notes what became of changes, for the next try. */
export function note(
	tries: EarlierTries,
	wording: string,
	changes: Array<ChangeSoFar & { change?: Change }>,
): void {
	const noted = changes.flatMap(({ change, made, isUnknown }): Noted[] => {
		if (!change || !(made || isUnknown)) return [];
		const { itemIndex, request, subject } = change;
		if (!made) return [[itemIndex, request, subject]];
		const [, body] = divideBody({ ...change, body: made.body });
		return [[itemIndex, request, subject, wording, body, made.result]];
	});
	const isAnew = new Set(noted.map((one) => `${one[0]} ${keyOf(one)}`));
	const others = tries.changes.filter((one) => !isAnew.has(`${one[0]} ${keyOf(one)}`));
	tries.changes = [...others, ...noted];
}

/** Identifies where and about whom a change is made. */
function keyOf([, request, subject]: Noted): string {
	return JSON.stringify([request, subject]);
}

function targetOf({ itemIndex, request, subject }: Change): string {
	return keyOf([itemIndex, request, subject]);
}

/** Divides what is sent into the subject, which may be written in another case, and everything else. */
function divideBody({ body, subject }: Change): [subject: IDataObject, others: IDataObject] {
	const isSubject = (value: unknown) => String(value).toLowerCase() === subject;
	return [pickBy(body, isSubject), omitUndefined(omitBy(body, isSubject))];
}
