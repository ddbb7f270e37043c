import type { INodeProperties } from 'n8n-workflow';
import { parseEmail } from '../values/email';
import type { ValueSource } from '../values/invalidValue';
import type { Readers } from '../values/readAll';
import { parseOptionalText } from '../values/text';
import { accessExpirationFields, readExpiration } from './accessExpiration';
import type { ItemParameters } from './parameters';

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
		description: 'For a student who does not exist yet; the service may also rename one who does',
	},
];

/** All texts about a student: the address and the details. */
export const textFields: INodeProperties[] = [emailField, ...detailFields];

/** A student to be added, and when access ends. */
export const studentFields: INodeProperties[] = [...textFields, ...accessExpirationFields];

/** The warning of the operations that remove a student. */
export const irreversibleNotice: INodeProperties = {
	displayName: 'This is irreversible: the student loses access.',
	name: 'irreversibleNotice',
	type: 'notice',
	default: '',
};

/** A student as someone entered it, in a form, a list or the input items, with the parameters of its item. */
export interface EnteredStudent extends ItemParameters {
	/** Returns the value of a field, and what errors call it; throws InvalidValueError if it cannot be found. */
	enteredValue: (field: INodeProperties) => [value: unknown, source: ValueSource];
	/** Reads when access ends; see `readExpiration`. */
	readExpirationDate: () => string | undefined;
}

/** Finds an item's student in the fields of the form. */
export function studentInForm(parameters: ItemParameters): EnteredStudent {
	return {
		...parameters,
		enteredValue: ({ name, displayName }) => [parameters.get(name), displayName],
		readExpirationDate: () => readExpiration(parameters),
	};
}

/** Reads the email address of an item's student; throws InvalidValueError if it cannot be one. */
export function readEmail({ get }: ItemParameters): string {
	return parseEmail(get(emailField.name), emailField.displayName);
}

const readDetail = (field: INodeProperties) => (student: EnteredStudent) =>
	parseOptionalText(...student.enteredValue(field));
/** Read a student as the service takes it, the details by their names; each throws InvalidValueError if it cannot be used. */
export const STUDENT_READERS: Readers<EnteredStudent, Record<string, string | undefined>> = {
	email: (student) => parseEmail(...student.enteredValue(emailField)),
	...Object.fromEntries(detailFields.map((field) => [field.name, readDetail(field)])),
	expirationDate: (student) => student.readExpirationDate(),
};
