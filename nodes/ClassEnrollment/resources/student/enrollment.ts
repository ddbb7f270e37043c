import type { IDataObject } from 'n8n-workflow';
import type { RowChange } from '../../operation/changePerBatch';
import { readClassId } from '../../fields/class';
import type { ItemParameters } from '../../fields/parameters';
import { type EnteredStudent, readStudent } from '../../fields/student';
import { readAll } from '../../values/readAll';

/** Reads which student to add to which class; throws InvalidValueError that names all values that cannot be used. */
export function readEnrollment(parameters: ItemParameters, entered: EnteredStudent): RowChange {
	const readers = { classId: () => readClassId(parameters), student: readStudent };
	const { classId, student } = readAll(readers, entered);
	const { email, ...values } = student;
	return { classId, email, values, output: (sent) => toEnrollment(email, sent, { classId }) };
}

/** Returns the output for a student who was added to a class or classes. */
export function toEnrollment(email: string, sent: IDataObject, classes: IDataObject): IDataObject {
	const { expirationDate, ...details } = sent;
	return { success: true, email, ...details, ...classes, expirationDate };
}
