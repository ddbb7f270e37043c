import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	accessExpirationChoice,
	accessExpirationFields,
	readExpirationDate,
} from '../../shared/fields/accessExpiration';
import { classField, readClassIdOf } from '../../shared/fields/classes';
import { emailField, nameField, readEmailOf, readNameOf } from '../../shared/fields/student';
import { STUDENTS_PER_REQUEST } from '../../shared/bulk/jobs';
import { eachItem, type PrepareItem } from '../../shared/eachItem';
import {
	asCustomOperation,
	asRouting,
	type Endpoint,
	type Operation,
	requestTo,
} from '../../shared/operation';
import { asObject } from '../../shared/values/json';
import { given } from '../../shared/values/given';

const operation = ['addToClass'];
const endpoint: Endpoint = { method: 'POST', url: '/classe/{id}/add-student' };
const HANDFUL_OF_STUDENTS = 10;

export const addToClassFields: INodeProperties[] = [
	classField(operation),
	emailField(operation),
	nameField(operation),
	accessExpirationChoice({ resource: ['student'], operation }),
	...accessExpirationFields(operation),
];

const prepare: PrepareItem = (parameters) => {
	const classId = readClassIdOf(parameters);
	const email = readEmailOf(parameters);
	const name = readNameOf(parameters);
	const expirationDate = readExpirationDate(parameters);

	return async (send) => {
		const answer = await send({
			...requestTo(endpoint, classId),
			body: given({ name, email, expirationDate }),
			likelyCauses:
				'Check the class and the e-mail address: usually there is no class with this ID, or the service does not accept the address.',
		});
		return [
			{ ...asObject(answer), ...given({ success: true, email, name, classId, expirationDate }) },
		];
	};
};

const run: Operation = async (input) => {
	const output = await eachItem(prepare)(input);
	const added = output.filter(({ json }) => json.success);
	const classIds = new Set(added.map(({ json }) => json.classId));
	if (added.length > HANDFUL_OF_STUDENTS && classIds.size === 1) {
		input.hint(suggestAddMany(added.length));
	}
	return output;
};

export const addToClassOption: INodePropertyOptions = {
	name: 'Add to Class',
	value: 'addToClass',
	action: 'Add student to class',
	description: 'Give a student access to a class. A student who does not exist yet is created.',
	routing: asRouting(endpoint, run),
};

export const addToClass = asCustomOperation(run);

function suggestAddMany(students: number): string {
	return `Each of these ${students} students took a request of its own. The operation 'Add Many to Class' sends up to ${STUDENTS_PER_REQUEST} students in one request and is much faster.`;
}
