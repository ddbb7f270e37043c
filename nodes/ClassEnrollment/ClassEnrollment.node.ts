import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { requestOptionsField } from './fields/requestOptions';
import { searchClasses } from './listSearch/searchClasses';
import { getClasses } from './loadOptions/getClasses';
import { toCustomOperations, toProperties } from './operation/resource';
import { resources, studentResource } from './resources';

export class ClassEnrollment implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Class Enrollment',
		name: 'classEnrollment',
		icon: {
			light: 'file:../../icons/classEnrollment.svg',
			dark: 'file:../../icons/classEnrollment.dark.svg',
		},
		group: ['transform'],
		version: 1,
		subtitle:
			'={{ $parameter["operation"].replace(/([A-Z])/g, " $1").toLowerCase() + ": " + $parameter["resource"] }}',
		description: 'Add students to classes, remove them, and send them sign-in links',
		defaults: { name: 'Class Enrollment' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'classEnrollmentApi', required: true }],
		requestDefaults: { baseURL: '={{ $credentials.baseUrl }}', disableFollowRedirect: true },
		properties: [...toProperties(resources, studentResource), requestOptionsField],
	};

	methods = { listSearch: { searchClasses }, loadOptions: { getClasses } };

	customOperations = toCustomOperations(resources);
}
