import omitBy from 'lodash/omitBy';
import pickBy from 'lodash/pickBy';
import type { IDataObject } from 'n8n-workflow';
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
	/** Whether it was made with other values, or before an earlier item that is to be sent again. */
	wasMade?: boolean;
}

/**
 * A change that was made, under what the user had written then: what was sent, but for the subject, and what came of it.
 * Without a result, it may have been made.
 */
export type Noted = [
	itemIndex: number,
	request: string,
	subject: string,
	wordingHash: string,
	body: IDataObject,
	result?: unknown,
];

/** Notes a change; without a result, as one that may have been made. */
export function toNoted(change: Change, wordingHash: string, result?: unknown): Noted {
	const { itemIndex, request, subject } = change;
	const noted: Noted = [itemIndex, request, subject, wordingHash, divideBody(change)[1]];
	if (result !== undefined) noted[5] = result;
	return noted;
}

export function isMade(noted: Noted): boolean {
	return noted[5] !== undefined;
}

/** Whether a value can be read as a noted change. */
export function isNoted(value: unknown): value is Noted {
	if (!Array.isArray(value)) return false;
	const [itemIndex, request, subject, wordingHash, body] = value as unknown[];
	const isText = [request, subject, wordingHash].every((text) => typeof text === 'string');
	return typeof itemIndex === 'number' && isText && isObject(body);
}

/** Where and about whom a change is made: once, or for each entry of its list, such as the classes. */
export function targetsOf([, request, subject, , body]: Noted): string[] {
	const entries = Object.values(body).filter(Array.isArray).flat();
	const targets = entries.length > 0 ? entries : [null];
	return targets.map((entry: unknown) => JSON.stringify([request, subject, entry]));
}

/** Divides what is sent into the subject, which may be written in another case, and everything else. */
export function divideBody({ body, subject }: Change): [subject: IDataObject, others: IDataObject] {
	const isSubject = (value: unknown) => String(value).toLowerCase() === subject;
	return [pickBy(body, isSubject), omitUndefined(omitBy(body, isSubject))];
}
