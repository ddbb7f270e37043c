import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchHint } from './fields/builderHint';
import { filtersField } from './fields/filters';
import { eventProperties, eventSubtitle } from './trigger/chooseEvent';
import { poll } from './trigger/poll';

export class ClassEnrollmentTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Class Enrollment Trigger',
		name: 'classEnrollmentTrigger',
		icon: {
			light: 'file:../../icons/classEnrollment.svg',
			dark: 'file:../../icons/classEnrollment.dark.svg',
		},
		group: ['trigger'],
		version: 1,
		subtitle: eventSubtitle,
		// In its list of nodes, n8n shows this as the description of the node and the trigger together.
		description: "Manage a school's enrollments, or start a workflow when classes change",
		defaults: { name: 'Class Enrollment Trigger' },
		...searchHint(
			'Starts a workflow on new or changed classes, or when student counts change, e.g. when a class is full. It polls the class list; it cannot see which student was added.',
		),
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'classEnrollmentApi', required: true }],
		properties: [...eventProperties, filtersField],
	};

	poll = poll;
}
