import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { classesField, readClassIdsOf } from '../../shared/fields/classes';
import { emailField, irreversibleNotice, readEmailOf } from '../../shared/fields/student';
import { eachItem, type PrepareItem } from '../../shared/eachItem';
import { asCustomOperation, asRouting, type Endpoint, requestTo } from '../../shared/operation';
import { asObject } from '../../shared/values/json';

const operation = ['removeFromClasses'];
const endpoint: Endpoint = { method: 'DELETE', url: '/classe/remove-student' };

export const removeFromClassesFields: INodeProperties[] = [
	irreversibleNotice(operation),
	classesField(operation),
	emailField(operation),
];

const prepare: PrepareItem = (parameters) => {
	const classIds = readClassIdsOf(parameters);
	const email = readEmailOf(parameters);

	return async (send) => {
		const answer = await send({
			...requestTo(endpoint),
			body: { email, classes: classIds.map((id) => ({ id })) },
			likelyCauses:
				'Check the classes and the e-mail address: usually one of the IDs belongs to no class, or the student is not in it.',
		});
		return [{ ...asObject(answer), deleted: true, email, classIds }];
	};
};

const run = eachItem(prepare);

export const removeFromClassesOption: INodePropertyOptions = {
	name: 'Remove From Several Classes',
	value: 'removeFromClasses',
	action: 'Remove student from several classes',
	description: "End a student's access to several classes in one request. This cannot be undone.",
	routing: asRouting(endpoint, run),
};

export const removeFromClasses = asCustomOperation(run);
