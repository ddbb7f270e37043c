import { readClassId, readClassIds } from '../../fields/class';
import { type EnteredStudent, studentReaders } from '../../fields/student';
import type { Writing } from '../../operation/asked';
import { readAll } from '../../values/readAll';

interface Enrollment extends Pick<Writing, 'email' | 'classId' | 'classIds'> {
	name?: string;
	expirationDate?: string;
}

/** Reads which student to add to which class. */
export function readEnrollmentInClass(entered: EnteredStudent): Writing {
	return toWriting(readAll({ classId: () => readClassId(entered), ...studentReaders(entered) }));
}

/** Reads which student to add to which classes. */
export function readEnrollmentInClasses(entered: EnteredStudent): Writing {
	return toWriting(readAll({ classIds: () => readClassIds(entered), ...studentReaders(entered) }));
}

function toWriting({ email, classId, classIds, ...values }: Enrollment): Writing {
	const output: Writing['output'] = ({ name, expirationDate }) => {
		return { success: true, email, name, classId, classIds, expirationDate };
	};
	return { classId, email, classIds, values, output };
}
