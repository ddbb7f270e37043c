import { groupBy, lowerFirst, map, uniq, upperFirst } from 'lodash';
import type { INodeExecutionData } from 'n8n-workflow';
import { identityOf } from '../fields/identity';
import type { RowResult } from '../journal/journal';
import type { Outcome } from '../transport/outcome';
import { failureOf } from '../transport/serviceError';
import { omitUndefined } from '../values/omitUndefined';
import { describeRows } from './describeRows';
import type { FinishedRow, InvalidRow } from './row';
import { describeError, type NodeError, toNodeError } from './nodeError';
import type { Operation, OperationRun } from './operation';

/** The words for each outcome of a row. `added` stands for the participle. */
const WORDS: Record<Outcome, (participle: string) => string> = {
	done: (added) => added,
	rejected: () => 'rejected',
	unknown: (added) => `unknown if ${added}`,
	notProcessed: (added) => `not ${added}`,
};
const REPLACED = 'replaced';
const UNKNOWN =
	"The node can't tell whether the request took effect. Before you retry, check in the service.";

/**
 * The output item of a row that failed. n8n recognizes it by its only field, `error`, moves it to the error output and
 * adds the fields of the input item. Where there is no error output, what identifies the row follows the error.
 */
export function failedItem(
	{ node, operation }: OperationRun,
	failed: FinishedRow,
): INodeExecutionData {
	const { item, email } = failed.row;
	const { outcome, error } = failed.result;
	const message = messageOf(failed, operation);
	const description = descriptionOf(failed.result);
	const json = omitUndefined({
		error: description ? `${message}. ${description}` : message,
		...(node.onError !== 'continueErrorOutput' && {
			...identityOf(operation.fields, item, email),
			outcome,
			status: failureOf(error)?.status,
		}),
	});
	return { json, pairedItem: { item: item.itemIndex } };
}

/** Returns whose row it is, the outcome, the reason, and where the row is. */
function messageOf({ row, sentRow, result }: FinishedRow, { participle, output }: Operation) {
	const where = describeRows([row]);
	// There is nothing to say of a read but its error, and where it is.
	if (!output) return describeError(result.error, where).message;
	const { message } = describeError(result.error);
	const outcome = WORDS[result.outcome](participle);
	// "Rejected by the service" says it already.
	const saysOutcome = message.startsWith(upperFirst(outcome));
	const said = saysOutcome ? lowerFirst(message) : `${outcome}: ${message}`;
	const replaced = row === sentRow ? '' : `${REPLACED} by ${describeRows([sentRow])}: `;
	const whose = row.email === undefined ? '' : `${row.email}: `;
	return `${whose}${replaced}${said} [${where}]`;
}

/** Returns what the user can do. Of an unknown row, to check comes before to try again. */
function descriptionOf({ outcome, error }: RowResult): string {
	const failure = failureOf(error);
	const description = describeError(error).description ?? '';
	if (outcome !== 'unknown') return description;
	return sentences(UNKNOWN, failure ? failure.advice : description);
}

/** Returns the error of the first invalid row, which also lists the others. No row is sent. */
export function invalidError(
	run: OperationRun,
	invalid: InvalidRow[],
	rowCount: number,
): NodeError {
	const [first, ...others] = invalid as [InvalidRow, ...InvalidRow[]];
	const { message, description } = describeError(first.error, describeRows([first]));
	// `createClients` and `readCredentials` give all rows the same error object. Then it is shown once.
	const more = others.filter(({ error }) => error !== first.error);
	return toNodeError(run.node, first.error, first.item.itemIndex, {
		message,
		description: sentences(
			description,
			more.length > 0 && `Also invalid (${more.length}): ${describeRows(more)}.`,
			rowCount > 1 && run.journal.entries.size === 0 && 'Nothing was changed.',
		),
	});
}

/** The error of the row that ended the run, with the outcomes of all rows. */
export function stoppedError(
	run: OperationRun,
	failed: FinishedRow,
	finished: FinishedRow[],
): NodeError {
	const { operation } = run;
	const { row, result } = failed;
	const { outcome, error } = result;
	const again = outcome === 'unknown' && "With 'Retry On Fail', the node sends it again.";
	// Also of one that is unknown, since an earlier attempt may have been processed.
	const orSkip = failureOf(error)?.outcome === 'rejected' && operation.adviceIfStopped;
	return toNodeError(run.node, error, row.item.itemIndex, {
		message: messageOfAll(failed, finished, operation),
		description: sentences(descriptionOf(result), orSkip, again),
	});
}

/** Returns the reason why the run was stopped, and the outcomes of all rows, or what there is to say of the only one. */
function messageOfAll(failed: FinishedRow, finished: FinishedRow[], operation: Operation) {
	if (finished.length === 1) return messageOf(failed, operation);
	const { row, result } = failed;
	const { error } = result;
	const { message } = describeError(error);
	const requested = finished.filter((other) => other.result.error === error);
	// Of a batch, nobody knows whose row it was.
	const isAboutOne = uniq(map(requested, 'sentRow')).length === 1;
	const reason = isAboutOne && row.email ? `${row.email}: ${lowerFirst(message)}` : message;
	const outcomes = listOutcomes(finished, operation.participle);
	return outcomes === '' ? reason : `${reason}. The node stopped. ${outcomes}`;
}

/** Lists the rows by outcome, such as "Added: items 0-3. Not added: items 4-9." Of rows that change nothing, only those that are done. */
function listOutcomes(finished: FinishedRow[], participle: string): string {
	const listed = groupBy(
		finished.filter(({ row, result }) => row.email !== undefined || result.outcome === 'done'),
		// If the row in its place is done, it is, too.
		({ row, sentRow, result: { outcome } }) =>
			row === sentRow || outcome === 'done' ? WORDS[outcome](participle) : REPLACED,
	);
	const words = [...Object.values(WORDS).map((word) => word(participle)), REPLACED];
	return words
		.filter((word) => word in listed)
		.map((word) => `${upperFirst(word)}: ${describeRows(map(listed[word], 'row'))}.`)
		.join(' ');
}

const sentences = (...parts: unknown[]) => parts.filter(Boolean).join(' ');
