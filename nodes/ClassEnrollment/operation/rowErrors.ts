import { attempt, groupBy, isUndefined, lowerFirst, map, omitBy, upperFirst } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import { identityOf } from '../fields/identity';
import { isWritten, type RowState } from '../journal/journal';
import { TRY_LATER } from '../transport/advice';
import { ServiceError } from '../transport/serviceError';
import { isBlank } from '../values/text';
import { describeRows } from './describeRows';
import { type InvalidRow, isInvalid, type Settled } from './row';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { OperationRun } from './operation';

/** The words for what has become of a row, in the order in which errors list the rows. `added` stands for the participle. */
const WORDS: Record<RowState['is'] | 'replaced', (participle: string) => string> = {
	done: (added) => added,
	outdated: (added) => `${added} before this retry only`,
	rejected: () => 'rejected',
	rejectedInPart: (added) => `rejected, but a part may have been ${added}`,
	unknown: (added) => `unknown if ${added}`,
	replaced: () => 'not sent, replaced by a later item',
	open: () => 'not sent',
};
const UNKNOWN =
	"The node can't tell whether the request took effect. Before you retry, check in the service.";

/**
 * The output item of a row that failed. n8n recognizes it by its only field, `error`, moves it to the error output and
 * adds the fields of the input item. Where there is no error output, what identifies the row follows the error.
 * @param emailOf that of `RowHandler`
 */
export function failedItem(
	{ node, operation: { participle, fields } }: OperationRun,
	settled: Settled,
	emailOf?: (source: unknown) => unknown,
): INodeExecutionData {
	const { itemIndex, parameters, source } = settled.row;
	// An Error, where it cannot be read: only a text is shown.
	const email: unknown = attempt(() => emailOf?.(source));
	const message = messageOf(settled, participle, email);
	const description = descriptionOf(settled);
	const json = {
		error: description ? `${message}. ${description}` : message,
		...(node.onError !== 'continueErrorOutput' && {
			...identityOf(fields, parameters, { email }),
			...omitBy(outcomeFields(settled), isUndefined),
		}),
	};
	return { json, pairedItem: { item: itemIndex } };
}

/** For machines: what became of a row that failed, in one word, and the status of the response to it, if there was one. */
function outcomeFields({ row, sentRow, state, error }: Settled) {
	if (isInvalid(row)) return { outcome: 'invalid' };
	if (row !== sentRow) return { outcome: 'notSent' };
	const status = error instanceof ServiceError ? error.failure.status : undefined;
	if (['unknown', 'rejectedInPart'].includes(state.is)) return { outcome: 'unknown', status };
	// Not by the state: what is outdated may have been rejected now, or not sent.
	return { outcome: status === undefined ? 'notSent' : 'rejected', status };
}

function messageOf(settled: Settled, participle: string, email?: unknown): string {
	const { row, error } = settled;
	const where = describeRows([row]);
	const said = saidOf(settled, participle);
	if (typeof email === 'string' && !isBlank(email)) {
		return `${email.trim()}: ${lowerFirst(said)} [${where}]`;
	}
	// There is nothing to say of a read or an invalid item but its error, and where it is.
	return isChange(row) ? said : describeError(error, where).message;
}

/** What has become of a row, and why. */
function saidOf({ row, sentRow, state, error }: Settled, participle: string): string {
	const said = say(WORDS[state.is](participle), describeError(error).message);
	if (row === sentRow) return said;
	return say(WORDS.replaced(participle), `${describeRows([sentRow])}: ${lowerFirst(said)}`);
}

/** Puts what has become of a row before the reason, unless it begins with that. */
function say(word: string, reason: string): string {
	return lowerFirst(reason).startsWith(word) ? reason : `${upperFirst(word)}: ${reason}`;
}

/** What the user can do about it. To try again is not yet the advice while it is unknown what became of the row. */
function descriptionOf({ row, state, error }: Settled): string {
	const advice = describeError(error).description ?? '';
	if (state.is !== 'unknown' || !isChange(row)) return advice;
	return sentences(UNKNOWN, advice !== TRY_LATER && advice);
}

const isChange = (row: Settled['row']) => !isInvalid(row) && row.change !== undefined;

/** What has become of a row. Where another is sent in its place, it is done when that is. */
const wordOf = ({ row, sentRow, state }: Settled) =>
	row !== sentRow && state.is !== 'done' ? 'replaced' : state.is;

/** The error where some rows are invalid and the others are not sent: that of the first one. */
export function invalidError(
	run: OperationRun,
	invalid: InvalidRow[],
	rowCount: number,
): NodeError {
	const [first, ...others] = invalid as [InvalidRow, ...InvalidRow[]];
	const shown = toNodeError(run.node, first.error, first.itemIndex, describeRows([first]));
	// An error of all (`openSession` and the credential reader keep it) is the same object in each row: it is said once.
	const more = others.filter(({ error }) => error !== first.error);
	shown.description = sentences(
		shown.description,
		more.length > 0 && `Also invalid (${more.length}): ${describeRows(more)}.`,
		rowCount > 1 && !isWritten(run.journal) && 'Nothing was changed.',
	);
	return shown;
}

/** The error of the row that ended the run, with what became of all rows. */
export function stoppedError(run: OperationRun, failed: Settled, rows: Settled[]): NodeError {
	const { participle } = run.operation;
	const shown = toNodeError(run.node, failed.error, failed.row.itemIndex);
	const isUnknown = failed.state.is === 'unknown' && isChange(failed.row);
	const again = isUnknown && "With 'Retry On Fail', the node sends it again.";
	shown.description = sentences(descriptionOf(failed), again);
	if (rows.length === 1) return Object.assign(shown, { message: messageOf(failed, participle) });
	// Of rows that change nothing, it is enough to know what was done.
	const listed = groupBy(
		rows.filter(({ row, state }) => isChange(row) || state.is === 'done'),
		wordOf,
	);
	const lists = Object.entries(WORDS)
		.filter(([outcome]) => outcome in listed)
		.map(([outcome, words]) => {
			return `${upperFirst(words(participle))}: ${describeRows(map(listed[outcome], 'row'))}.`;
		});
	if (lists.length > 0) shown.message += `. The node stopped. ${lists.join(' ')}`;
	return shown;
}

const sentences = (...parts: unknown[]) => parts.filter(Boolean).join(' ');
