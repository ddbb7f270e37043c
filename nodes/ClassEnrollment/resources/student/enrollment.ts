import { readClassId, readClassIds } from '../../fields/class';
import { type EnteredStudent, readStudent } from '../../fields/student';
import type { Writing } from '../../operation/asked';

interface Enrollment extends Pick<Writing, 'email' | 'classId' | 'classIds'> {
	name?: string;
	expirationDate?: string;
}

/** Reads which student to add to which class. */
export function readEnrollmentInClass(entered: EnteredStudent): Writing {
	return toWriting({ classId: readClassId(entered), ...readStudent(entered) });
}

/** Reads which student to add to which classes. */
export function readEnrollmentInClasses(entered: EnteredStudent): Writing {
	return toWriting({ classIds: readClassIds(entered), ...readStudent(entered) });
}

function toWriting({ email, classId, classIds, ...values }: Enrollment): Writing {
	const output: Writing['output'] = ({ name, expirationDate }) => {
		return { success: true, email, name, classId, classIds, expirationDate };
	};
	return { classId, email, classIds, values, output };
}
