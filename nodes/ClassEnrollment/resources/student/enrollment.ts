import type { IDataObject } from 'n8n-workflow';
import type { Writing } from '../../operation/asked';
import { type EnteredStudent, STUDENT_READERS } from '../../fields/student';
import { readAll, type Readers } from '../../values/readAll';

type Enrollment = IDataObject & Pick<Writing, 'email' | 'classId' | 'classIds'>;

/**
 * Returns a function that reads which student to add to which class or classes. It throws an InvalidValueError that names
 * all values that cannot be used.
 * @param classReaders read the class or the classes
 */
export function createEnrollmentReader(
	classReaders: Partial<Readers<EnteredStudent, Pick<Enrollment, 'classId' | 'classIds'>>>,
): (entered: EnteredStudent) => Writing {
	const readers = { ...classReaders, ...STUDENT_READERS } as Readers<EnteredStudent, Enrollment>;
	return (entered) => {
		const { email, classId, classIds, ...values } = readAll(readers, entered);
		const output = ({ expirationDate, ...details }: IDataObject): IDataObject => {
			return { success: true, email, ...details, classId, classIds, expirationDate };
		};
		return { classId, email, classIds, values, output };
	};
}
