import { readClassId, readClassIds } from '../../fields/class';
import { type EnteredStudent, studentReaders } from '../../fields/student';
import type { WriteRequest } from '../../operation/rowRequest';
import { readAll } from '../../values/readAll';

interface Enrollment extends Pick<WriteRequest, 'email' | 'classId' | 'classIds'> {
	name?: string;
	expirationDate?: string;
}

/** Reads which student to add to which class. */
export function readEnrollmentInClass(entered: EnteredStudent): WriteRequest {
	return toWriteRequest(
		readAll({ classId: () => readClassId(entered.parameters), ...studentReaders(entered) }),
	);
}

/** Reads which student to add to which classes. */
export function readEnrollmentInClasses(entered: EnteredStudent): WriteRequest {
	return toWriteRequest(
		readAll({ classIds: () => readClassIds(entered.parameters), ...studentReaders(entered) }),
	);
}

function toWriteRequest({ email, classId, classIds, ...values }: Enrollment): WriteRequest {
	const output: WriteRequest['output'] = ({ name, expirationDate }) => {
		return { success: true, email, name, classId, classIds, expirationDate };
	};
	return { classId, email, classIds, values, output };
}
