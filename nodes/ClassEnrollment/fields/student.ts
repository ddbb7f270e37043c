import type { INodeProperties } from 'n8n-workflow';
import { parseEmail } from '../values/email';
import { parseOptionalText } from '../values/text';
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

export const nameField: INodeProperties = {
	displayName: 'Name',
	name: 'name',
	type: 'string',
	default: '',
	description: 'Used if the student does not exist yet',
};

/** The warning of the operations that remove a student. */
export const irreversibleNotice: INodeProperties = {
	displayName:
		'Removing a student cannot be undone. To bring a student back, add them to the class again.',
	name: 'irreversibleNotice',
	type: 'notice',
	default: '',
};

/** Reads the email address of an item's student; throws InvalidValueError if it cannot be one. */
export function readEmail({ get }: ItemParameters): string {
	return parseEmail(get(emailField.name), emailField.displayName);
}

/** Reads the name of an item's student, undefined if there is none; throws InvalidValueError for anything but text. */
export function readName({ get }: ItemParameters): string | undefined {
	return parseOptionalText(get(nameField.name), nameField.displayName);
}
