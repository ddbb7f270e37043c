import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchClasses } from './listSearch/searchClasses';
import { getClasses } from './loadOptions/getClasses';
import { classOperations, classProperties } from './resources/class';
import { studentOperations, studentProperties } from './resources/student';
import { refuseOperationsOtherThan } from './shared/operation';
import { requestOptionsField } from './shared/transport/requestOptions';

const OPERATIONS = { class: classOperations, student: studentOperations };
const refuseUnknownOperation = refuseOperationsOtherThan(OPERATIONS);

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
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Class', value: 'class' },
					{ name: 'Student', value: 'student' },
				],
				default: 'student',
				routing: { send: { preSend: [refuseUnknownOperation] } },
			},
			...classProperties,
			...studentProperties,
			requestOptionsField,
		],
	};

	methods = { listSearch: { searchClasses }, loadOptions: { getClasses } };

	customOperations = OPERATIONS;
}
