import type { INodeProperties } from 'n8n-workflow';
import { parseEmail } from '../values/email';
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
	description: 'The email address that identifies the student',
};

export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	description:
		'The name of a new student. If the student already exists, the service may change their name to this.',
};

/** A student to be added, and when access ends. */
export const studentFields: INodeProperties[] = [emailField, nameField, ...accessExpirationFields];

/** The warning of the operations that remove a student. */
export const irreversibleNotice: INodeProperties = {
	displayName: "Irreversible: the student loses access, and you can't undo this.",
	name: 'irreversibleNotice',
	type: 'notice',
	default: '',
};

/** A student as someone entered it, in a form, a list or the input items. */
export interface EnteredStudent {
	/** The parameters of its item. */
	parameters: ItemParameters;
	/** Returns the value of a field, and what errors call it; throws InvalidValueError if it cannot be found. */
	enteredValue: (field: INodeProperties) => [value: unknown, label: string];
	/** Reads when access ends; see `readExpiration`. */
	readExpirationDate: () => string | undefined;
}

/** Finds an item's student in the fields of the form. */
export function studentInForm(parameters: ItemParameters): EnteredStudent {
	return {
		parameters,
		enteredValue: ({ name, displayName }) => [parameters.get(name), displayName],
		readExpirationDate: () => readExpiration(parameters),
	};
}

/** Reads the email address of an item's student; throws InvalidValueError if it cannot be one. */
export function readEmail({ get }: ItemParameters): string {
	return parseEmail(get(emailField.name), emailField.displayName);
}

/** The readers of a student's fields; each throws InvalidValueError if its value is invalid. */
export function studentReaders(student: EnteredStudent) {
	return {
		email: () => parseEmail(...student.enteredValue(emailField)),
		name: () => parseOptionalText(...student.enteredValue(nameField)),
		expirationDate: student.readExpirationDate,
	};
}
