import type { INodeProperties } from 'n8n-workflow';
import type { ItemParameters } from '../operation';
import { readEmail } from '../values/email';
import { optionalText } from '../values/text';

/** The student of operations that treat one student an item. */
export function emailField(operations: string[]): INodeProperties {
	return {
		displayName: 'Email',
		name: 'email',
		type: 'string',
		placeholder: 'name@email.com',
		default: '',
		required: true,
		description: 'The e-mail address by which the service knows the student',
		displayOptions: { show: { resource: ['student'], operation: operations } },
	};
}

/** The name of the student in those operations. */
export function nameField(operations: string[]): INodeProperties {
	return {
		displayName: 'Name',
		name: 'name',
		type: 'string',
		default: '',
		description: 'Used if the student does not exist yet',
		displayOptions: { show: { resource: ['student'], operation: operations } },
	};
}

/** The warning of the operations that remove a student. */
export const irreversibleNotice = (operations: string[]): INodeProperties => ({
	displayName:
		'Removing a student cannot be undone. To bring a student back, add them to the class again.',
	name: 'irreversibleNotice',
	type: 'notice',
	default: '',
	displayOptions: { show: { resource: ['student'], operation: operations } },
});

/** Reads the student's e-mail address of an item; throws InvalidValueError where it cannot be one. */
export function readEmailOf({ get }: ItemParameters): string {
	return readEmail(get('email'), 'Email');
}

/** Reads the student's name of an item, undefined where there is none; throws InvalidValueError for anything but a text. */
export function readNameOf({ get }: ItemParameters): string | undefined {
	return optionalText(get('name'), 'Name');
}
