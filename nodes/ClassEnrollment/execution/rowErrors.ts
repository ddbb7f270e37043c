import partition from 'lodash/partition';
import { type INodeExecutionData, UserError } from 'n8n-workflow';
import { identityOf, readIfAny } from '../fields/identity';
import { emailField } from '../fields/student';
import { isBlank } from '../values/text';
import { isFirstTry } from './earlierTries';
import type { Row } from './row';
import { formatRanges } from './formatRanges';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { OperationRun } from './operation';
import { errorItem } from './output';

/** What errors call the rows of an operation and what it does with them, such as "students" and "added". */
export interface Words {
	rows: string;
	done: string;
}

const MAX_LISTS = 20;
// What stands in place of an address may be long.
const MAX_SHOWN_LENGTH = 80;

/** The error of a change where nobody knows whether the failed execution has made it. */
export function unreadableError(): UserError {
	return new UserError('It is unknown what the failed execution has done', {
		description:
			'Its record cannot be read. Check in the service what is missing, and start a new execution with that.',
	});
}

/** The output item of a row that failed. Where the operation has words for its rows, it begins with the address. */
export function failedItem(run: OperationRun, row: Row, words?: Words): INodeExecutionData {
	const { itemIndex, parameters, error, isUnknown } = row;
	const where = describeRow(row);
	const described = describeError(error, where);
	const email = words && readIfAny(() => parameters.get(emailField.name));
	if (words && typeof email === 'string' && !isBlank(email)) {
		const whatBecame = isUnknown
			? `may or may not have been ${words.done}`
			: `was not ${words.done}`;
		const address = email.trim().slice(0, MAX_SHOWN_LENGTH);
		described.message = `${address} ${whatBecame} (${where}): ${describeError(error).message}`;
	}
	return errorItem(run, described, itemIndex, () => identityOf(parameters));
}

/** The error where some rows are invalid and the others are not sent: that of the first one. */
export function invalidError(
	run: OperationRun,
	invalid: Row[],
	rows: Row[],
	words?: Words,
): NodeError {
	const [first, ...others] = invalid as [Row, ...Row[]];
	const shown = toNodeError(run.node, first.error, first.itemIndex, describeRow(first));
	const more = others.filter(({ error }) => error !== first.error);
	const are = more.length === 1 ? 'is' : 'are';
	const parts = [
		shown.description,
		more.length > 0 && `${more.length} more ${are} invalid: ${describeRows(more)}.`,
		(words ?? rows.length > 1) &&
			!run.isPartOfRun &&
			isFirstTry(run.earlierTries) &&
			'Nothing was sent.',
	];
	shown.description = parts.filter(Boolean).join(' ');
	return shown;
}

/** The error of the row that ended the run, with what became of all rows. */
export function stoppedError(
	{ node }: OperationRun,
	failed: Row,
	rows: Row[],
	words?: Words,
): NodeError {
	const shown = toNodeError(node, failed.error, failed.itemIndex);
	if (rows.length === 1) return shown;
	const [done, others] = partition(rows, ({ output }) => output);
	const [unknown, notDone] = partition(others, ({ isUnknown }) => isUnknown);
	if (!words) {
		const progress = [
			shown.description,
			done.length === 0
				? 'No items were processed.'
				: `Processed ${done.length} of ${rows.length} items (${rangesOf(done)}).`,
			unknown.length > 0 && `Unknown whether processed: ${rangesOf(unknown)}.`,
		];
		shown.description = progress.filter(Boolean).join(' ');
		return shown;
	}
	const list = (state: string, some: Row[]) =>
		some.length > 0 ? [`${state}: ${describeRows(some)}`] : [];
	const progress = [
		`${done.length} of ${rows.length} ${words.rows} were ${words.done} before the run stopped`,
		...list(words.done, done),
		...list(`not ${words.done}`, notDone),
		...list('unknown', unknown),
	];
	shown.message = `${shown.message}. ${progress.join('; ')}.`;
	return shown;
}

const rangesOf = (rows: Row[]) => formatRanges(rows.map(({ itemIndex }) => itemIndex));

/** Describes one row: "item 3", or "student 2 of item 0". */
function describeRow({ itemIndex, number }: Row): string {
	return number === undefined ? `item ${itemIndex}` : `student ${number} of item ${itemIndex}`;
}

/** Describes many rows in short: "items 0-99", or "students 1-20 of item 0". */
function describeRows(rows: Row[]): string {
	const lists = new Map<number | undefined, number[]>();
	for (const { itemIndex, number } of rows) {
		const list = number === undefined ? undefined : itemIndex;
		const numbers = lists.get(list) ?? [];
		lists.set(list, numbers);
		numbers.push(number ?? itemIndex);
	}
	const parts = [...lists].map(([item, numbers]) => {
		const plural = numbers.length === 1 ? '' : 's';
		const ranges = formatRanges(numbers);
		return item === undefined
			? `item${plural} ${ranges}`
			: `student${plural} ${ranges} of item ${item}`;
	});
	const more = parts.length > MAX_LISTS ? '; and more' : '';
	return `${parts.slice(0, MAX_LISTS).join('; ')}${more}`;
}
