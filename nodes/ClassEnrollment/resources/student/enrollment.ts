import { readClassId, readClassIds } from '../../fields/class';
import { type EnteredStudent, studentReaders } from '../../fields/student';
import type { WriteOutput, WriteRequest } from '../../operation/rowRequest';
import { readAll } from '../../values/readAll';

const outputInClass: WriteOutput = ({ email, classId }, { name, expirationDate }) => {
	return { success: true, email, name, classId, expirationDate };
};

const outputInClasses: WriteOutput = ({ email, classIds }, { name, expirationDate }) => {
	return { success: true, email, name, classIds, expirationDate };
};

/** Reads which student to add to which class. */
export function readEnrollmentInClass(entered: EnteredStudent): WriteRequest {
	const { email, classId, ...values } = readAll({
		classId: () => readClassId(entered.parameters),
		...studentReaders(entered),
	});
	return { email, classId, values, output: outputInClass };
}

/** Reads which student to add to which classes. */
export function readEnrollmentInClasses(entered: EnteredStudent): WriteRequest {
	const { email, classIds, ...values } = readAll({
		classIds: () => readClassIds(entered.parameters),
		...studentReaders(entered),
	});
	return { email, classIds, values, output: outputInClasses };
}
