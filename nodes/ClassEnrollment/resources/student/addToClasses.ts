import { accessExpirationFields, readExpirationDate } from '../../fields/accessExpiration';
import { classesField, readClassIds } from '../../fields/class';
import { emailField, nameField, readEmail, readName } from '../../fields/student';
import type { Operation } from '../../execution/operation';
import { requestPerItem } from '../../execution/requestPerItem';

export const addToClasses: Operation = {
	name: 'Add to Several Classes',
	value: 'addToClasses',
	action: 'Add student to several classes',
	description:
		'Give a student access to several classes in one request. A student who does not exist yet is created.',
	request: {
		method: 'POST',
		path: '/classe/add-student',
		likelyCauses:
			'Check the classes and the email address. Most likely no class has one of the IDs, or the service rejected the address.',
	},
	fields: [classesField, emailField, nameField, ...accessExpirationFields],
	execute: requestPerItem((parameters) => {
		const classIds = readClassIds(parameters);
		const email = readEmail(parameters);
		const name = readName(parameters);
		const expirationDate = readExpirationDate(parameters);
		return {
			body: { name, email, classes: classIds.map((id) => ({ id })), expirationDate },
			output: () => ({ success: true, email, name, classIds, expirationDate }),
		};
	}),
};
