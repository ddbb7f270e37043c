import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchHint } from './fields/builderHint';
import { requestOptionsField } from './fields/requestOptions';
import { toCustomOperations, toProperties, toSubtitle } from './execution/description';
import { getClasses, searchClasses } from './classes/loadOptions';
import { resources } from './resources';

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
		subtitle: toSubtitle(resources),
		description: 'Add students to classes, remove them, and send them sign-in links',
		defaults: { name: 'Class Enrollment' },
		...searchHint(
			'Use Add Many to Class for many students: each input item is one, sent in batches of 100. Use Add to Class for one student per item, and Send Magic Link for a sign-in link. Classes are given by ID: Get Many finds the ID by name. Removing a student is irreversible: the student loses access. Access never ends unless Access Expiration is set.',
		),
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'classEnrollmentApi', required: true }],
		// n8n runs only nodes with this property by their routing. Nothing is sent to this address: each operation sends its own
		// requests. If an expression names an operation that does not exist, n8n tries it, fails, and shows this text.
		requestDefaults: { baseURL: 'choose-an-operation-from-the-list:' },
		properties: [...toProperties(resources, 'student'), requestOptionsField],
	};

	methods = { listSearch: { searchClasses }, loadOptions: { getClasses } };

	customOperations = toCustomOperations(resources);
}
