import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { classField, readClassIdOf } from '../../shared/fields/classes';
import { emailField, irreversibleNotice, readEmailOf } from '../../shared/fields/student';
import { eachItem, type PrepareItem } from '../../shared/eachItem';
import { asCustomOperation, asRouting, type Endpoint, requestTo } from '../../shared/operation';
import { asObject } from '../../shared/values/json';

const operation = ['removeFromClass'];
const endpoint: Endpoint = { method: 'DELETE', url: '/classe/{id}/remove-student' };

export const removeFromClassFields: INodeProperties[] = [
	irreversibleNotice(operation),
	classField(operation),
	emailField(operation),
];

const prepare: PrepareItem = (parameters) => {
	const classId = readClassIdOf(parameters);
	const email = readEmailOf(parameters);

	return async (send) => {
		const answer = await send({
			...requestTo(endpoint, classId),
			body: { email },
			likelyCauses:
				'Check the class and the e-mail address: usually there is no class with this ID, or the student is not in it.',
		});
		return [{ ...asObject(answer), deleted: true, email, classId }];
	};
};

const run = eachItem(prepare);

export const removeFromClassOption: INodePropertyOptions = {
	name: 'Remove From Class',
	value: 'removeFromClass',
	action: 'Remove student from class',
	description: "End a student's access to a class. This cannot be undone.",
	routing: asRouting(endpoint, run),
};

export const removeFromClass = asCustomOperation(run);
