import attempt from 'lodash/attempt';
import groupBy from 'lodash/groupBy';
import { type INodeExecutionData, UserError } from 'n8n-workflow';
import { identityOf, pickShort } from '../fields/identity';
import { ServiceError } from '../transport/serviceError';
import { isBlank } from '../values/text';
import { isFirstTry } from '../journal/journal';
import type { Row } from './row';
import { formatRanges } from './formatRanges';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { OperationRun } from './operation';

/** What errors call the rows of an operation and what it does with them, such as "students" and "added". */
export interface Words {
	rows: string;
	done: string;
	/** The output field that names the subject of a row. */
	subject: string;
}

const MAX_LISTS = 20;
// What stands in place of an address may be long.
const MAX_SHOWN_LENGTH = 80;

/** The error of a change that the failed execution may or may not have made. */
export function unreadableError(): UserError {
	return new UserError('It is unknown what the failed execution did', {
		description:
			'Its record of what was done cannot be read. Check in the service what is missing, and start a new execution for that.',
	});
}

/**
 * The output item of a row that failed. n8n recognizes it by its only field, `error`, moves it to the error output and
 * adds the fields of the input item. Where there is no error output, what identifies the row follows the error.
 */
export function failedItem(run: OperationRun, row: Row, words?: Words): INodeExecutionData {
	const { itemIndex, parameters, error, state } = row;
	const where = describeRows([row]);
	const described = describeError(error, where);
	const description = sentences(nothingChanged(error), described.description);
	let { message } = described;
	const subject: unknown = row.subject && attempt(row.subject);
	if (words && typeof subject === 'string' && !isBlank(subject)) {
		const isAgain = state.is === 'outdated' ? 'was not again' : 'was not';
		const whatBecame = state.is === 'unknown' ? 'may or may not have been' : isAgain;
		const shown = subject.trim().slice(0, MAX_SHOWN_LENGTH);
		message = `${shown} ${whatBecame} ${words.done} (${where}): ${describeError(error).message}`;
	}
	const hasErrorOutput = run.node.onError === 'continueErrorOutput';
	const json = {
		error: description ? `${message}. ${description}` : message,
		...(!hasErrorOutput && words && pickShort({ [words.subject]: subject })),
		...(!hasErrorOutput && pickShort(identityOf(run.operation.fields, parameters))),
	};
	return { json, pairedItem: { item: itemIndex } };
}

/** The error where some rows are invalid and the others are not sent: that of the first one. */
export function invalidError(
	run: OperationRun,
	invalid: Row[],
	rows: Row[],
	words?: Words,
): NodeError {
	const [first, ...others] = invalid as [Row, ...Row[]];
	const shown = toNodeError(run.node, first.error, first.itemIndex, describeRows([first]));
	const more = others.filter(({ error }) => error !== first.error);
	const are = more.length === 1 ? 'is' : 'are';
	shown.description = sentences(
		shown.description,
		more.length > 0 && `${more.length} more ${are} invalid: ${describeRows(more)}.`,
		(words ?? rows.length > 1) && hasMadeNoChange(run) && 'Nothing was sent.',
	);
	return shown;
}

/** The error of the row that ended the run, with what became of all rows. */
export function stoppedError(
	run: OperationRun,
	failed: Row,
	rows: Row[],
	words?: Words,
): NodeError {
	const shown = toNodeError(run.node, failed.error, failed.itemIndex);
	const certain = hasMadeNoChange(run) && nothingChanged(failed.error);
	shown.description = sentences(certain, shown.description);
	if (rows.length === 1) return shown;
	const byState = groupBy(rows, ({ state }) => state.is);
	const { done = [], outdated = [], open = [], unknown = [] } = byState;
	if (!words) {
		shown.description = sentences(
			shown.description,
			done.length > 0 && `Processed ${done.length} of ${rows.length} items (${rangesOf(done)}).`,
			open.length === rows.length && 'No items were processed.',
			outdated.length > 0 && `Processed by an earlier try only: ${rangesOf(outdated)}.`,
			unknown.length > 0 && `Unknown whether processed: ${rangesOf(unknown)}.`,
		);
		return shown;
	}
	const list = (what: string, some: Row[]) =>
		some.length > 0 ? [`${what}: ${describeRows(some)}`] : [];
	const progress = [
		`${done.length} of ${rows.length} ${words.rows} were ${words.done} before the run stopped`,
		...list(words.done, done),
		...list(`${words.done} by an earlier try only`, outdated),
		...list(`not ${words.done}`, open),
		...list('unknown', unknown),
	];
	shown.message = `${shown.message}. ${progress.join('; ')}.`;
	return shown;
}

/** Whether this run and its earlier tries made no change, and none may have been made. */
function hasMadeNoChange({ isPartOfRun, earlierTries }: OperationRun): boolean {
	return !isPartOfRun && isFirstTry(earlierTries);
}

/** Says so of a request without a response; what a response says is clear without it. */
function nothingChanged(error: unknown): string | false {
	if (!(error instanceof ServiceError)) return false;
	const { status, isUnknown } = error.failure;
	return status === undefined && !isUnknown && 'Nothing was changed.';
}

const sentences = (...parts: Array<string | false | null | undefined>) =>
	parts.filter(Boolean).join(' ');

const rangesOf = (rows: Row[]) => formatRanges(rows.map(({ itemIndex }) => itemIndex));

/** Describes rows in short: "item 3", "items 0-99", or "students 1-20 of item 0". */
function describeRows(rows: Row[]): string {
	const ofItem = ({ itemIndex, number }: Row) => (number ? ` of item ${itemIndex}` : '');
	const lists = groupBy(rows, ofItem);
	const parts = Object.entries(lists).map(([where, list]) => {
		const row = where === '' ? 'item' : 'student';
		const plural = list.length === 1 ? '' : 's';
		const ranges = formatRanges(list.map(({ itemIndex, number }) => number ?? itemIndex));
		return `${row}${plural} ${ranges}${where}`;
	});
	const more = parts.length > MAX_LISTS ? '; and more' : '';
	return `${parts.slice(0, MAX_LISTS).join('; ')}${more}`;
}
