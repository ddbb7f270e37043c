import attempt from 'lodash/attempt';
import groupBy from 'lodash/groupBy';
import { type INodeExecutionData, UserError } from 'n8n-workflow';
import { identityOf, pickShort } from '../fields/identity';
import type { RowState } from '../journal/change';
import { isUnwritten } from '../journal/journal';
import { effectOf, isUnknown, NOT_SENT } from '../transport/serviceError';
import { isBlank } from '../values/text';
import type { Row } from './row';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { OperationRun } from './operation';

/** What errors call the rows of an operation and what it does with them, such as "students" and "added". */
export interface Words<Source = unknown> {
	rows: string;
	done: string;
	/** Returns the address of a row's student, as it was entered, if the error begins with it. */
	emailOf?(source: Source): unknown;
}

/** The words for rows that are items. */
const ITEMS: Words = { rows: 'items', done: 'processed' };

/** What has become of rows, in the order in which errors list them. Only what is certain. */
const BECAME: Record<RowState['is'], (done: string) => string> = {
	done: (done) => done,
	outdated: (done) => `${done} by an earlier try only`,
	refused: () => 'refused',
	refusedTogether: (done) => `refused together, so some may have been ${done}`,
	unknown: (done) => `may or may not have been ${done}`,
	open: () => 'not sent',
};
const MAX_LISTS = 20;
const MAX_RANGES = 20;
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
export function failedItem(run: OperationRun, row: Row, words = ITEMS): INodeExecutionData {
	const { itemIndex, parameters, error } = row;
	const where = describeRows([row]);
	const described = describeError(error, where);
	const description = sentences(nothingChanged(error), described.description);
	let { message } = described;
	const email: unknown = attempt(() => words.emailOf?.(row.source));
	if (typeof email === 'string' && !isBlank(email)) {
		const shown = email.trim().slice(0, MAX_SHOWN_LENGTH);
		const reason = describeError(error).message.replace(NOT_SENT, '');
		message = `${shown} ${whatBecame(row, words)} (${where}): ${reason}`;
	}
	const hasErrorOutput = run.node.onError === 'continueErrorOutput';
	const identity = { email, ...identityOf(run.operation.fields, parameters) };
	const json = {
		error: description ? `${message}. ${description}` : message,
		...(!hasErrorOutput && pickShort(identity)),
	};
	return { json, pairedItem: { item: itemIndex } };
}

function whatBecame({ state }: Row, { done }: Words): string {
	if (state.is === 'refusedTogether') return BECAME.unknown(done);
	const became = BECAME[state.is](done);
	return state.is === 'unknown' ? became : `was ${became}`;
}

/** The error where some rows are invalid and the others are not sent: that of the first one. */
export function invalidError(run: OperationRun, invalid: Row[], rows: Row[]): NodeError {
	const [first, ...others] = invalid as [Row, ...Row[]];
	const shown = toNodeError(run.node, first.error, first.itemIndex, describeRows([first]));
	const more = others.filter(({ error }) => error !== first.error);
	const are = more.length === 1 ? 'is' : 'are';
	shown.description = sentences(
		shown.description,
		more.length > 0 && `${more.length} more ${are} invalid: ${describeRows(more)}.`,
		rows.length > 1 && isUnwritten(run.journal) && 'Nothing was sent.',
	);
	return shown;
}

/** The error of the row that ended the run, with what became of all rows. */
export function stoppedError(
	run: OperationRun,
	failed: Row,
	rows: Row[],
	words = ITEMS,
): NodeError {
	const shown = toNodeError(run.node, failed.error, failed.itemIndex);
	const certain = isUnwritten(run.journal) && nothingChanged(failed.error);
	shown.description = sentences(certain, shown.description);
	if (rows.length === 1) return shown;
	const { rows: noun, done } = words;
	// Where nothing is changed, it is enough to know what was done.
	const listed = rows.filter(({ change, state }) => change || state.is === 'done');
	const byState = groupBy(listed, ({ state }) => state.is);
	const lists = Object.entries(BECAME).flatMap(([state, became]) => {
		const some = byState[state];
		return some ? [`${became(done)}: ${describeRows(some)}`] : [];
	});
	const count = byState.done?.length ?? 0;
	const progress = `${count} of ${rows.length} ${noun} were ${done} before the run stopped`;
	shown.message = `${shown.message}. ${[progress, ...lists].join('; ')}.`;
	return shown;
}

/** Says so of a request that did not reach the service; what a response says is clear without it. */
function nothingChanged(error: unknown): string | false {
	return effectOf(error) === 'unsent' && !isUnknown(error) && 'Nothing was changed.';
}

const sentences = (...parts: Array<string | false | null | undefined>) =>
	parts.filter(Boolean).join(' ');

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

/** Writes numbers in ascending order as ranges: [0, 1, 2, 5] becomes "0-2, 5". Cuts off what is too much to read. */
function formatRanges(numbers: number[]): string {
	const ranges: Array<[number, number]> = [];
	for (const number of numbers) {
		const last = ranges.at(-1);
		if (last && last[1] === number - 1) last[1] = number;
		else ranges.push([number, number]);
	}
	const shown = ranges
		.slice(0, MAX_RANGES)
		.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`))
		.join(', ');
	return ranges.length > MAX_RANGES ? `${shown} and more` : shown;
}
