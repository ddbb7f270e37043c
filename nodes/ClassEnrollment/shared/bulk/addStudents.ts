import type {
	IDataObject,
	INodeExecutionData,
	NodeApiError,
	NodeOperationError,
} from 'n8n-workflow';
import type { Operation, OperationInput } from '../operation';
import { errorItem, outputItem } from '../output';
import { itemError, mayHaveTakenEffect, shownError } from '../transport/errors';
import type { Send } from '../transport/send';
import { given } from '../values/given';
import { type Batch, createHalvingRule, intoBatches, sendBatch } from './batches';
import { readJobs } from './jobs';
import { placeName, placeNames, type RowPlace } from './places';
import type { Student } from './rows';

type Failure = NodeApiError | NodeOperationError;

/** A student to be added that passed all checks. */
interface Row extends RowPlace {
	/** Its place among all rows, which is also its place in the output. */
	position: number;
	classId: string;
	student: Student;
	state: 'added' | 'notAdded' | 'unknown';
}

/** Sends students of one class and gives the fields of the service's answer. */
type SendStudents = (send: Send, classId: string, students: Student[]) => Promise<IDataObject>;

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
			rows.forEach((row) => (output[row.position] = failedItem(row, error)));
		});
		if (!connection) return output;

		let failure: { error: unknown; row: Row } | undefined;
		const batches = checkedJobs.flatMap((job) => intoBatches(job.rows, job.batchSize));
		const halving = createHalvingRule();
		const sendOne = async ({ classId, entries }: Batch<Row>) =>
			await sendStudents(
				connection.send,
				classId,
				entries.map(({ student }) => student),
			);

		await connection.startEach(batches, async (batch) => {
			const mayHalve = () => input.continueOnFail && halving.mayHalve(batch.classId);
			await sendBatch(batch, sendOne, mayHalve, {
				added: (entry, answer) => {
					halving.added(batch.classId);
					for (const row of entry.rows) {
						row.state = 'added';
						output[row.position] = addedItem(row, entry.student, answer);
					}
				},
				failed: (entry, error) => {
					halving.refused(batch.classId);
					for (const row of entry.rows) {
						row.state = mayHaveTakenEffect(error) ? 'unknown' : 'notAdded';
						output[row.position] = failedItem(row, error);
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
	const failures: Array<RowPlace & { error: unknown }> = [];
	let position = 0;
	const checked = jobs.map(({ rows, batchSize }) => ({
		batchSize,
		rows: rows.flatMap(({ read, ...place }): Row[] => {
			const row = { ...place, position: position++, state: 'notAdded' as const };
			try {
				return [{ ...row, ...read() }];
			} catch (error) {
				failures.push({ ...place, error });
				output[row.position] = errorItem(shownError(error, placeName(place)), place.itemIndex);
				return [];
			}
		}),
	}));

	const [first, ...others] = failures;
	if (first && !input.continueOnFail) {
		const shown = itemError(input.node, first.error, first.itemIndex, placeName(first));
		const more = others.filter(({ error }) => error !== first.error);
		const also =
			more.length === 0 ? '' : ` ${more.length} more cannot be used: ${placeNames(more)}.`;
		shown.description = `${shown.description ?? ''}${also} Nothing was sent.`.trim();
		throw shown;
	}
	return checked;
}

function addedItem(row: Row, student: Student, answer: IDataObject): INodeExecutionData {
	const { email, name, expirationDate } = student;
	const fields = given({ success: true, email, name, classId: row.classId, expirationDate });
	return outputItem({ ...answer, ...fields }, row.itemIndex);
}

function failedItem(row: Row, error: unknown): INodeExecutionData {
	const { message, description } = shownError(error);
	const fate = mayHaveTakenEffect(error) ? 'may or may not have been added' : 'was not added';
	return errorItem(
		{ message: `${row.student.email} ${fate} (${placeName(row)}): ${message}`, description },
		row.itemIndex,
	);
}

function stoppedError(input: OperationInput, error: unknown, row: Row, rows: Row[]): Failure {
	const shown = itemError(input.node, error, row.itemIndex);
	const inState = (state: Row['state']) => rows.filter((candidate) => candidate.state === state);
	if (rows.length === 1) return shown;
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
	return rows.length === 0 ? [] : [`${state}: ${placeNames(rows)}`];
}
