import { readClassId } from '../../fields/class';
import type { ItemParameters } from '../../fields/parameters';
import type { StudentReaders } from '../../fields/student';
import type { WriteOutput, WriteRequest } from '../../operation/rowRequest';
import { readValues } from '../../values/readValues';

/** Reads which student to add to which class. */
export function readEnrollment(parameters: ItemParameters, student: StudentReaders): WriteRequest {
	const { email, classId, ...values } = readValues({
		classId: () => readClassId(parameters),
		...student,
	});
	return { email, classId, values };
}

/** The output item of a student who was added to a class. */
export const enrollmentOutput: WriteOutput = ({ email, classId }, { name, expirationDate }) => {
	return { success: true, email, name, classId, expirationDate };
};
