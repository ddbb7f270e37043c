import { readClassId } from '../../fields/class';
import { type EnteredStudent, studentReaders } from '../../fields/student';
import type { WriteOutput, WriteRequest } from '../../operation/rowRequest';
import { readAll } from '../../values/readAll';

/** Reads which student to add to which class. */
export function readEnrollment(entered: EnteredStudent): WriteRequest {
	const { email, classId, ...values } = readAll({
		classId: () => readClassId(entered.parameters),
		...studentReaders(entered),
	});
	return { email, classId, values };
}

/** The output item of a student who was added to a class. */
export const enrollmentOutput: WriteOutput = ({ email, classId }, { name, expirationDate }) => {
	return { success: true, email, name, classId, expirationDate };
};
