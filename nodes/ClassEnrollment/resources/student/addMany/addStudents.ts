import partition from 'lodash/partition';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import {
	type Change,
	isFirstTry,
	isUnknown,
	keyOf,
	noteDone,
	outputIfDone,
} from '../../../execution/earlierTries';
import { describeError, type NodeError, toNodeError } from '../../../execution/nodeError';
import type { Execute, OperationRun } from '../../../execution/operation';
import { errorItem, outputItem } from '../../../execution/output';
import { buildRequest } from '../../../execution/requestPerItem';
import { startEach } from '../../../execution/startEach';
import { enrollmentOf } from '../../../fields/student';
import { asUnknown } from '../../../transport/serviceError';
import { toObject } from '../../../values/json';
import { isBlank } from '../../../values/text';
import { omitUndefined } from '../../../values/omitUndefined';
import { type PendingRow, toBatches } from './batches';
import { readRows } from './readRows';
import { describeRow, describeRows } from './rowLabels';
import { createBatchSender } from './sendBatch';
import type { InvalidRow, Row, RowSource, Student } from './students';

// What stands in place of an address may be long.
const MAX_SHOWN_LENGTH = 80;

/**
 * The operation that adds many students in few requests. All rows are checked before the first request. Without
 * "continue on fail" the first failure stops it and says what was added; with it every failing row becomes an error item.
 */
export const addStudents: Execute = async (run) => {
	const { session, continueOnFail } = run;
	const rows = await prepareRows(run);
	const [invalid, valid] = partition(rows, isInvalid);
	if (invalid.length > 0 && !continueOnFail) throw invalidRowsError(run, invalid);

	let failure: { error: unknown; itemIndex: number } | undefined;
	const sendBatch = createBatchSender({
		mayDivide: continueOnFail,
		send: async ({ client, classId, entries }) => {
			const students = entries.map(({ student }) => student);
			const request = { ...buildRequest(run.request, { id: classId }), body: { students } };
			const { json } = await client.send(request);
			return pickSimpleValues(json);
		},
		added: ({ rows, student }, response) => {
			for (const row of rows)
				row.outcome = { is: 'added', item: addedItem(row, student, response) };
		},
		failed: ({ rows }, error) => {
			for (const row of rows) {
				row.outcome = { is: 'failed', error: row.mayBeAdded ? asUnknown(error) : error };
				failure ??= { error: row.outcome.error, itemIndex: row.itemIndex };
			}
			if (!continueOnFail) session.stop();
		},
	});
	await startEach(toBatches(valid.filter(({ outcome }) => !outcome)), session, sendBatch);
	// n8n only tries again if something failed.
	const isComplete = invalid.length === 0 && valid.every(isAdded);
	if (run.isWave || !isComplete) remember(run, valid);
	if (failure && !continueOnFail) throw stoppedError(run, failure, valid);
	return rows.flatMap((row) => toOutput(run, row));
};

/** Reads and checks all rows. A row without a usable credential is invalid, too. */
async function prepareRows(run: OperationRun): Promise<Array<PendingRow | InvalidRow>> {
	const { earlierTries } = run;
	const isRetry = earlierTries.done.size + earlierTries.unknown.size > 0;
	const rows: Array<PendingRow | InvalidRow> = [];
	for (const row of readRows(run.items)) {
		if ('error' in row) {
			rows.push(row);
			continue;
		}
		try {
			const client = await run.session.clientFor(row.itemIndex);
			// Not a copy: copying all rows took as long as everything else here.
			const pending: PendingRow = Object.assign(row, { client, mayBeAdded: false });
			rows.push(pending);
			if (!isRetry) continue;
			const change = changeOf(run, row);
			const item = outputIfDone(earlierTries, change);
			if (item) pending.outcome = { is: 'added', item };
			pending.mayBeAdded = isUnknown(earlierTries, change);
		} catch (error) {
			const { itemIndex, number, classId, student } = row;
			rows.push({ itemIndex, number, error, email: student.email, classId });
		}
	}
	return rows;
}

/** Keeps what became of the rows for the next try. */
function remember(run: OperationRun, rows: PendingRow[]): void {
	for (const row of rows) {
		if (isAdded(row)) noteDone(run.earlierTries, changeOf(run, row), row.outcome.item);
		else if (row.mayBeAdded) run.earlierTries.unknown.add(keyOf(changeOf(run, row)));
	}
}

/** What the row changes. */
function changeOf({ request }: OperationRun, row: Row): Change {
	const { itemIndex, number, classId, student } = row;
	const { method, path } = buildRequest(request, { id: classId });
	const subject = student.email.toLowerCase();
	return { itemIndex, number, request: `${method} ${path}`, subject, body: student };
}

type AddedRow = PendingRow & { outcome: { is: 'added' } };

function isAdded(row: PendingRow): row is AddedRow {
	return row.outcome?.is === 'added';
}

function isInvalid(row: PendingRow | InvalidRow): row is InvalidRow {
	return 'error' in row;
}

/** The output of a row; none if the run was over before the row was sent. */
function toOutput(run: OperationRun, row: PendingRow | InvalidRow): INodeExecutionData[] {
	if (isInvalid(row)) return [invalidItem(run, row)];
	if (!row.outcome) return [];
	if (row.outcome.is === 'added') return [row.outcome.item];
	const whatBecame = row.mayBeAdded ? 'may or may not have been added' : 'was not added';
	return [failedItem(run, row, row.student.email, whatBecame, row.outcome.error)];
}

function invalidItem(run: OperationRun, row: InvalidRow): INodeExecutionData {
	const { email, itemIndex, error } = row;
	if (typeof email === 'string' && !isBlank(email)) {
		const address = email.trim().slice(0, MAX_SHOWN_LENGTH);
		return failedItem(run, row, address, 'was not added', error);
	}
	return errorItem(run, describeError(error, describeRow(row)), itemIndex, () => ({}));
}

function failedItem(
	run: OperationRun,
	row: RowSource & { classId?: string },
	email: string,
	whatBecame: string,
	error: unknown,
): INodeExecutionData {
	const { message, description } = describeError(error);
	const text = `${email} ${whatBecame} (${describeRow(row)}): ${message}`;
	const identity = () => ({ email, classId: row.classId });
	return errorItem(run, { message: text, description }, row.itemIndex, identity);
}

function invalidRowsError(run: OperationRun, [first, ...others]: InvalidRow[]): NodeError {
	const shown = toNodeError(run.node, first!.error, first!.itemIndex, describeRow(first!));
	const more = others.filter(({ error }) => error !== first!.error);
	const are = more.length === 1 ? 'is' : 'are';
	const also =
		more.length === 0 ? '' : ` ${more.length} more ${are} invalid: ${describeRows(more)}.`;
	const sent = isFirstTry(run) ? ' Nothing was sent.' : '';
	shown.description = `${shown.description ?? ''}${also}${sent}`.trim();
	return shown;
}

function addedItem(row: Row, student: Student, response: IDataObject): INodeExecutionData {
	const fields = omitUndefined(enrollmentOf(student, { classId: row.classId }));
	return outputItem({ ...response, ...fields }, row.itemIndex);
}

function stoppedError(
	{ node }: OperationRun,
	{ error, itemIndex }: { error: unknown; itemIndex: number },
	rows: PendingRow[],
): NodeError {
	const shown = toNodeError(node, error, itemIndex);
	if (rows.length === 1) return shown;
	const [added, others] = partition(rows, isAdded);
	const [unknown, notAdded] = partition(others, ({ mayBeAdded }) => mayBeAdded);
	const parts = [
		`${added.length} of ${rows.length} students were added before the run stopped`,
		...describeState('added', added),
		...describeState('not added', notAdded),
		...describeState('unknown', unknown),
	];
	shown.message = `${shown.message}. ${parts.join('; ')}.`;
	return shown;
}

function describeState(state: string, rows: Row[]): string[] {
	return rows.length === 0 ? [] : [`${state}: ${describeRows(rows)}`];
}

/** The response fields that make sense for a single student: no lists or objects. */
function pickSimpleValues(response: unknown): IDataObject {
	return Object.fromEntries(
		Object.entries(toObject(response)).filter(([, value]) => typeof value !== 'object'),
	);
}
