import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toObject } from '../../../values/json';
import { mayHaveTakenEffect } from '../../../transport/serviceError';
import { omitUndefined } from '../../../values/omitUndefined';
import { describeError, type NodeError, toNodeError } from '../../../execution/nodeError';
import { type Change, noteDone, outputIfDone } from '../../../execution/earlierTries';
import type { Execute, OperationRun } from '../../../execution/operation';
import { errorItem, outputItem } from '../../../execution/output';
import { addressTo } from '../../../execution/requestPerItem';
import { startEach } from '../../../execution/startEach';
import { type PendingRow, toBatches } from './batches';
import { readRows } from './readRows';
import { describeRow, describeRows } from './rowLabels';
import { type BatchHandler, createBatchSender } from './sendBatch';
import type { InvalidRow, Row, Student } from './students';

/**
 * The operation that adds many students in few requests. All rows are checked before the first request. Without
 * "continue on fail" the first failure stops it and says what was added; with it every failing row becomes an error item.
 */
export const addStudents: Execute = async (run) => {
	const output: INodeExecutionData[] = [];
	const rows: PendingRow[] = [];
	const invalid: InvalidRow[] = [];
	for (const [position, row] of readRows(run.items).entries()) {
		try {
			if ('error' in row) throw row.error;
			const send = await run.session.clientFor(row.itemIndex);
			const done = outputIfDone(run.earlierTries, changeOf(run, row));
			if (done) output[position] = done;
			const state = done ? 'added' : 'notAdded';
			// Not a copy: copying all rows took as long as everything else here.
			rows.push(Object.assign(row, { position, send, state } as const));
		} catch (error) {
			invalid.push({ ...row, error });
			output[position] = errorItem(describeError(error, describeRow(row)), row.itemIndex);
		}
	}
	if (invalid.length > 0 && !run.continueOnFail) throw invalidRowsError(run, invalid);

	const batches = toBatches(rows.filter(({ state }) => state !== 'added'));
	let failure: { error: unknown; row: PendingRow } | undefined;
	const handler: BatchHandler = {
		mayDivide: run.continueOnFail,
		send: async ({ send, classId }, entries) => {
			const students = entries.map(({ student }) => student);
			const response = await send({ ...addressTo(run.request, classId), body: { students } });
			return pickSimpleValues(response);
		},
		added: ({ rows, student }, response) => {
			for (const row of rows) {
				row.state = 'added';
				output[row.position] = addedItem(row, student, response);
			}
		},
		failed: ({ rows }, error) => {
			for (const row of rows) {
				row.state = mayHaveTakenEffect(error) ? 'unknown' : 'notAdded';
				output[row.position] = failedItem(row, error);
			}
			if (run.continueOnFail) return;
			run.session.stop();
			failure ??= { error, row: rows[0]! };
		},
	};
	try {
		await startEach(batches, run.session, createBatchSender(handler));
	} finally {
		// n8n only tries again if something failed.
		const isComplete = invalid.length === 0 && rows.every(({ state }) => state === 'added');
		if (!isComplete) rememberAdded(run, rows, output);
	}
	if (failure) throw stoppedError(run, failure.error, failure.row, rows);
	return output;
};

/** Keeps what was added for the next try. */
function rememberAdded(run: OperationRun, rows: PendingRow[], output: INodeExecutionData[]) {
	for (const row of rows) {
		if (row.state === 'added') {
			noteDone(run.earlierTries, changeOf(run, row), output[row.position]!);
		}
	}
}

function changeOf(run: OperationRun, { itemIndex, number, classId, student }: Row): Change {
	const { method, path } = addressTo(run.request, classId);
	return { itemIndex, number, request: `${method} ${path}`, student: student.email, body: student };
}

function invalidRowsError({ node }: OperationRun, [first, ...others]: InvalidRow[]): NodeError {
	const shown = toNodeError(node, first!.error, first!.itemIndex, describeRow(first!));
	const more = others.filter(({ error }) => error !== first!.error);
	const are = more.length === 1 ? 'is' : 'are';
	const also =
		more.length === 0 ? '' : ` ${more.length} more ${are} invalid: ${describeRows(more)}.`;
	shown.description = `${shown.description ?? ''}${also} Nothing was sent.`.trim();
	return shown;
}

function addedItem(row: Row, student: Student, response: IDataObject): INodeExecutionData {
	const { email, name, expirationDate } = student;
	const fields = omitUndefined({
		success: true,
		email,
		name,
		classId: row.classId,
		expirationDate,
	});
	return outputItem({ ...response, ...fields }, row.itemIndex);
}

function failedItem(row: Row, error: unknown): INodeExecutionData {
	const place = describeRow(row);
	const { message, description } = describeError(error, place);
	const outcome = mayHaveTakenEffect(error) ? 'may or may not have been added' : 'was not added';
	return errorItem(
		{ message: `${row.student.email} ${outcome} (${place}): ${message}`, description },
		row.itemIndex,
	);
}

function stoppedError(
	{ node }: OperationRun,
	error: unknown,
	{ itemIndex }: PendingRow,
	rows: PendingRow[],
): NodeError {
	const shown = toNodeError(node, error, itemIndex);
	if (rows.length === 1) return shown;
	const inState = (state: PendingRow['state']) => rows.filter((row) => row.state === state);
	const parts = [
		`${inState('added').length} of ${rows.length} students were added before the run stopped`,
		...describeState('added', inState('added')),
		...describeState('not added', inState('notAdded')),
		...describeState('unknown', inState('unknown')),
	];
	shown.message = `${shown.message}. ${parts.join('; ')}.`;
	return shown;
}

function describeState(state: string, rows: Row[]): string[] {
	return rows.length === 0 ? [] : [`${state}: ${describeRows(rows)}`];
}

/** The fields of a response for many students that fit into the item of one: those that are not lists or objects. */
function pickSimpleValues(response: unknown): IDataObject {
	return Object.fromEntries(
		Object.entries(toObject(response)).filter(([, value]) => typeof value !== 'object'),
	);
}
