import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toObject } from '../../transport/json';
import { mayHaveTakenEffect } from '../../transport/serviceError';
import { omitUndefined } from '../../values/omitUndefined';
import { describeError, type NodeError, toNodeError } from '../nodeError';
import type { Execute, OperationRun } from '../operation';
import { errorItem, outputItem } from '../output';
import { addressTo } from '../requestPerItem';
import { type Batch, createHalvingRule, sendBatch, toBatches } from './batches';
import { readRows } from './readRows';
import { describeRow, describeRows } from './rowLabels';
import type { CheckedRow, InvalidRow, Row, Student } from './students';

/** A row on its way to the service. */
interface PendingRow extends Row {
	/** Its place among all rows, which is also its place in the output. */
	position: number;
	state: 'added' | 'notAdded' | 'unknown';
}

/**
 * The operation that adds many students in few requests. All rows are checked before the first request. Without
 * "continue on fail" the first failure stops it and says what was added; with it every failing row becomes an error item.
 */
export const addStudents: Execute = async (run) => {
	const output: INodeExecutionData[] = [];
	const rows = takeValidRows(readRows(run.items), run, output);

	const client = await run.openClient().catch((error: unknown) => {
		if (!run.continueOnFail) throw toNodeError(run.node, error, 0);
		rows.forEach((row) => (output[row.position] = failedItem(row, error)));
	});
	if (!client) return output;

	let failure: { error: unknown; row: PendingRow } | undefined;
	const halving = createHalvingRule();
	const sendStudents = async ({ classId, entries }: Batch<PendingRow>) => {
		const students = entries.map(({ student }) => omitUndefined(student));
		return pickSimpleValues(
			await client.send({ ...addressTo(run.request, classId), body: { students } }),
		);
	};

	await client.startEach(toBatches(rows), async (batch) => {
		const mayHalve = () => run.continueOnFail && halving.mayHalve(batch.classId);
		await sendBatch(batch, sendStudents, mayHalve, {
			added: (entry, response) => {
				halving.added(batch.classId);
				for (const row of entry.rows) {
					row.state = 'added';
					output[row.position] = addedItem(row, entry.student, response);
				}
			},
			failed: (entry, error) => {
				halving.rejected(batch.classId);
				for (const row of entry.rows) {
					row.state = mayHaveTakenEffect(error) ? 'unknown' : 'notAdded';
					output[row.position] = failedItem(row, error);
				}
				if (run.continueOnFail) return;
				client.stop();
				failure ??= { error, row: entry.rows[0]! };
			},
		});
	});
	if (failure) throw stoppedError(run, failure.error, failure.row, rows);
	return output;
};

/** Returns the valid rows. Invalid ones become error items in their place, or stop the run before anything is sent. */
function takeValidRows(
	rows: CheckedRow[],
	run: OperationRun,
	output: INodeExecutionData[],
): PendingRow[] {
	const invalid: InvalidRow[] = [];
	const valid = rows.flatMap((row, position): PendingRow[] => {
		if (!('error' in row)) return [{ ...row, position, state: 'notAdded' }];
		invalid.push(row);
		output[position] = errorItem(describeError(row.error, describeRow(row)), row.itemIndex);
		return [];
	});
	if (invalid.length > 0 && !run.continueOnFail) throw invalidRowsError(run, invalid);
	return valid;
}

function invalidRowsError({ node }: OperationRun, [first, ...others]: InvalidRow[]): NodeError {
	const shown = toNodeError(node, first!.error, first!.itemIndex, describeRow(first!));
	const more = others.filter(({ error }) => error !== first!.error);
	const also = more.length === 0 ? '' : ` ${more.length} more are invalid: ${describeRows(more)}.`;
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
	const { message, description } = describeError(error);
	const outcome = mayHaveTakenEffect(error) ? 'may or may not have been added' : 'was not added';
	return errorItem(
		{ message: `${row.student.email} ${outcome} (${describeRow(row)}): ${message}`, description },
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

/** The fields of a response for many students that fit into the item of one: those that are no lists or objects. */
function pickSimpleValues(response: unknown): IDataObject {
	return Object.fromEntries(
		Object.entries(toObject(response)).filter(([, value]) => typeof value !== 'object'),
	);
}
