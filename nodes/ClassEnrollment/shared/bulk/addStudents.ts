import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { Operation, OperationInput } from '../operation';
import { errorItem, outputItem } from '../output';
import { itemError, mayHaveTakenEffect } from '../transport/errors';
import { startEach } from '../transport/pace';
import type { Send } from '../transport/send';
import { given } from '../values/given';
import { inRanges } from '../values/ranges';
import { type Batch, intoBatches, sendBatch } from './batches';
import { readJobs } from './jobs';
import type { Student } from './rows';

type Failure = NodeApiError | NodeOperationError;

/** A student to be added that passed all checks. */
interface Row {
	itemIndex: number;
	label: string;
	/** Its place among all rows, which is also its place in the output. */
	position: number;
	classId: string;
	student: Student;
	state: 'added' | 'notAdded' | 'unknown';
}

/** Sends students of one class and gives the fields of the service's answer. */
export type SendStudents = (
	send: Send,
	classId: string,
	students: Student[],
) => Promise<IDataObject>;

/**
 * The operation that adds many students in few requests. All rows are checked before the first request. Without
 * "continue on fail" the first failure stops it and tells what was added; with it every failing row becomes an error item.
 */
export function addStudents(sendStudents: SendStudents): Operation {
	return async (input) => {
		const jobs = readJobs(input.items);
		const output: INodeExecutionData[] = [];
		const checkedJobs = checkRows(jobs, input, output);
		const rows = checkedJobs.flatMap((job) => job.rows);

		const connection = await input.connect().catch((error: unknown) => {
			if (!input.continueOnFail) throw itemError(input.node, error, 0);
			rows.forEach((row) => (output[row.position] = failedItem(input, row, error)));
		});
		if (!connection) return output;

		let failure: { error: unknown; row: Row } | undefined;
		const batches = checkedJobs.flatMap((job) => intoBatches(job.rows, job.batchSize));
		const sendOne = async ({ classId, entries }: Batch<Row>) =>
			await sendStudents(
				connection.send,
				classId,
				entries.map(({ student }) => student),
			);

		await startEach(batches, connection.pace, input.signal, async (batch) => {
			if (failure) return;
			await sendBatch(batch, sendOne, input.continueOnFail, {
				added: (entry, answer) => {
					for (const row of entry.rows) {
						row.state = 'added';
						output[row.position] = addedItem(row, entry.student, answer);
					}
				},
				failed: (entry, error) => {
					for (const row of entry.rows) {
						row.state = mayHaveTakenEffect(error) ? 'unknown' : 'notAdded';
						output[row.position] = failedItem(input, row, error);
					}
					if (input.continueOnFail) return;
					connection.stop();
					failure ??= { error, row: entry.rows[0]! };
				},
			});
		});
		if (failure) throw stoppedError(input, failure.error, failure.row, rows);
		return output;
	};
}

/** Checks every row. Rows at fault become error items at their place, or stop the operation before anything is sent. */
function checkRows(
	jobs: ReturnType<typeof readJobs>,
	input: OperationInput,
	output: INodeExecutionData[],
): Array<{ batchSize: number; rows: Row[] }> {
	const failures: Array<{ error: unknown; shown: Failure; label: string }> = [];
	let position = 0;
	const checked = jobs.map(({ rows, batchSize }) => ({
		batchSize,
		rows: rows.flatMap(({ itemIndex, label, read }): Row[] => {
			const place = position++;
			try {
				return [{ itemIndex, label, position: place, state: 'notAdded', ...read() }];
			} catch (error) {
				const shown = itemError(input.node, error, itemIndex, label);
				failures.push({ error, shown, label });
				output[place] = errorItem(shown, itemIndex);
				return [];
			}
		}),
	}));

	const [first, ...others] = failures;
	if (first && !input.continueOnFail) {
		const more = others.filter(({ error }) => error !== first.error);
		const also = more.length === 0 ? '' : ` ${more.length} more cannot be used: ${listed(more)}.`;
		first.shown.description = `${first.shown.description ?? ''}${also} Nothing was sent.`.trim();
		throw first.shown;
	}
	return checked;
}

function addedItem(row: Row, student: Student, answer: IDataObject): INodeExecutionData {
	const { email, name, expirationDate } = student;
	const fields = given({ success: true, email, name, classId: row.classId, expirationDate });
	return outputItem({ ...answer, ...fields }, row.itemIndex);
}

function failedItem(input: OperationInput, row: Row, error: unknown): INodeExecutionData {
	const shown = itemError(input.node, error, row.itemIndex);
	const fate = mayHaveTakenEffect(error) ? 'may or may not have been added' : 'was not added';
	return errorItem(
		{
			message: `${row.student.email} ${fate} (${row.label}): ${shown.message}`,
			description: shown.description,
		},
		row.itemIndex,
	);
}

function stoppedError(input: OperationInput, error: unknown, row: Row, rows: Row[]): Failure {
	const shown = itemError(input.node, error, row.itemIndex, row.label);
	const inState = (state: Row['state']) => rows.filter((candidate) => candidate.state === state);
	const parts = [
		`${inState('added').length} of ${rows.length} students were added before it stopped`,
		...stateText('added', inState('added')),
		...stateText('not added', inState('notAdded')),
		...stateText('not known whether added', inState('unknown')),
	];
	shown.message = `${shown.message}. ${parts.join('; ')}.`;
	return shown;
}

function stateText(state: string, rows: Row[]): string[] {
	return rows.length === 0 ? [] : [`${state}: ${listed(rows)}`];
}

/** Names rows shortly: input items by their numbers, students of a list one by one. */
function listed(rows: Array<{ label: string }>): string {
	const numbers = rows.map(({ label }) => /^item (\d+)$/.exec(label)?.[1]);
	if (numbers.every((number) => number !== undefined))
		return `items ${inRanges(numbers.map(Number))}`;
	return rows.map(({ label }) => label).join(', ');
}
