import type { IDataObject, INodeProperties } from 'n8n-workflow';
import { parseEmail } from '../values/email';
import { type Readers, readAll } from '../values/readAll';
import { parseOptionalText } from '../values/text';
import { accessExpirationFields, readExpirationDate } from './accessExpiration';
import { type ItemParameters, valueOf } from './parameters';

export const emailField: INodeProperties = {
	displayName: 'Email',
	name: 'email',
	type: 'string',
	placeholder: 'name@email.com',
	default: '',
	required: true,
	description: 'Identifies the student',
};

/**
 * What else the service may be told about a student: texts that may be left out (test/service/openapi.yaml). Every form of
 * the operations that add students, their requests and their outputs contain each of these fields.
 */
export const detailFields: Array<INodeProperties & { type: 'string' }> = [
	{
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		description: 'Used if the student does not exist yet',
	},
];

/** A student to be added, and when access ends. */
export const studentFields: INodeProperties[] = [
	emailField,
	...detailFields,
	...accessExpirationFields,
];

/** A student as the service takes it, with the details by their names. */
export interface Student extends Record<string, string | undefined> {
	email: string;
	expirationDate?: string;
}

/** The warning of the operations that remove a student. */
export const irreversibleNotice: INodeProperties = {
	displayName:
		'The student loses access at once. To give it back, add the student to the class again.',
	name: 'irreversibleNotice',
	type: 'notice',
	default: '',
};

/** Reads the email address of an item's student; throws InvalidValueError if it cannot be one. */
export function readEmail(parameters: ItemParameters): string {
	return parseEmail(...valueOf(parameters, emailField));
}

const readDetail = (field: INodeProperties) => (parameters: ItemParameters) =>
	parseOptionalText(...valueOf(parameters, field));
const STUDENT: Readers<ItemParameters, Student> = {
	email: readEmail,
	...Object.fromEntries(detailFields.map((field) => [field.name, readDetail(field)])),
	expirationDate: readExpirationDate,
};

/** Reads an item's student; throws InvalidValueError that names all values that cannot be used. */
export function readStudent(parameters: ItemParameters): Student {
	return readAll(STUDENT, parameters);
}

/** Returns the output for a student, as sent, who was added to a class or classes. */
export function enrollmentOf(student: IDataObject, classes: IDataObject): IDataObject {
	const { expirationDate, ...details } = student;
	return { success: true, ...details, ...classes, expirationDate };
}
