import type { IDataObject } from 'n8n-workflow';
import type { RowChange } from '../../operation/changePerBatch';
import type { ItemParameters } from '../../fields/parameters';
import { type EnteredStudent, readStudent } from '../../fields/student';
import { readAll, type Readers } from '../../values/readAll';

/**
 * Reads which student to add to which class or classes; throws InvalidValueError that names all values that cannot be used.
 * @param classReaders read the class or the classes
 */
export function readEnrollment<Classes extends IDataObject>(
	entered: EnteredStudent,
	classReaders: Readers<ItemParameters, Classes>,
): RowChange {
	const readClasses = () => readAll(classReaders, entered.parameters);
	const readers = { classes: readClasses, student: readStudent };
	const { classes, student } = readAll(readers, entered);
	const { email, ...values } = student;
	const output = ({ expirationDate, ...details }: IDataObject): IDataObject => {
		return { success: true, email, ...details, ...classes, expirationDate };
	};
	return { ...classes, email, values, output };
}
