import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	accessExpirationChoice,
	accessExpirationFields,
	readExpirationDate,
} from '../../shared/fields/accessExpiration';
import { classesField, readClassIdsOf } from '../../shared/fields/classes';
import { emailField, nameField, readEmailOf, readNameOf } from '../../shared/fields/student';
import { eachItem, type PrepareItem } from '../../shared/eachItem';
import { asCustomOperation, asRouting, type Endpoint, requestTo } from '../../shared/operation';
import { asObject } from '../../shared/values/json';
import { given } from '../../shared/values/given';

const operation = ['addToClasses'];
const endpoint: Endpoint = { method: 'POST', url: '/classe/add-student' };

export const addToClassesFields: INodeProperties[] = [
	classesField(operation),
	emailField(operation),
	nameField(operation),
	accessExpirationChoice({ resource: ['student'], operation }),
	...accessExpirationFields(operation),
];

const prepare: PrepareItem = (parameters) => {
	const classIds = readClassIdsOf(parameters);
	const email = readEmailOf(parameters);
	const name = readNameOf(parameters);
	const expirationDate = readExpirationDate(parameters);

	return async (send) => {
		const answer = await send({
			...requestTo(endpoint),
			body: given({ name, email, classes: classIds.map((id) => ({ id })), expirationDate }),
			likelyCauses:
				'Check the classes and the e-mail address: usually one of the IDs belongs to no class, or the service does not accept the address.',
		});
		return [
			{ ...asObject(answer), ...given({ success: true, email, name, classIds, expirationDate }) },
		];
	};
};

const run = eachItem(prepare);

export const addToClassesOption: INodePropertyOptions = {
	name: 'Add to Several Classes',
	value: 'addToClasses',
	action: 'Add student to several classes',
	description:
		'Give a student access to several classes in one request. A student who does not exist yet is created.',
	routing: asRouting(endpoint, run),
};

export const addToClasses = asCustomOperation(run);
