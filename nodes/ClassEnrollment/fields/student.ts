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

/** What reads a student who is to be added. Each function throws InvalidValueError if its value is invalid. */
export interface StudentReaders {
	email: () => string;
	name: () => string | undefined;
	/** See `readExpiration`. */
	expirationDate: () => string | undefined;
}

/** Returns what reads an item's student from the fields of the form. */
export function studentInForm(parameters: ItemParameters): StudentReaders {
	return {
		email: () => readEmail(parameters),
		name: () => parseOptionalText(parameters.get(nameField.name), nameField.displayName),
		expirationDate: () => readExpiration(parameters),
	};
}

/** Reads the email address of an item's student; throws InvalidValueError if it cannot be one. */
export function readEmail({ get }: ItemParameters): string {
	return parseEmail(get(emailField.name), emailField.displayName);
}
