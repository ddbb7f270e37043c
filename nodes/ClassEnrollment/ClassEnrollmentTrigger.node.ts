import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { nameFilter } from './fields/nameFilter';
import { DIRECTIONS, EVENTS } from './trigger/changes';
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
		// In Title Case, as the form shows the event.
		subtitle:
			'={{ $parameter["event"].replace(/([A-Z])/g, " $1").replace(/^./, (first) => first.toUpperCase()) }}',
		description: 'Starts the workflow when classes are created or changed',
		defaults: { name: 'Class Enrollment Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'classEnrollmentApi', required: true }],
		properties: [
			{
				displayName: 'Trigger On',
				name: 'event',
				type: 'options',
				noDataExpression: true,
				required: true,
				options: [
					{
						name: EVENTS.classCreated,
						value: 'classCreated',
						description: 'When a class is created',
					},
					{
						name: EVENTS.classUpdated,
						value: 'classUpdated',
						description: 'When an existing class is changed',
					},
					{
						name: EVENTS.studentCountChanged,
						value: 'studentCountChanged',
						description: 'When the number of students in a class changes',
					},
				],
				default: 'classCreated',
			},
			{
				displayName: 'Direction',
				name: 'direction',
				type: 'options',
				required: true,
				options: Object.entries(DIRECTIONS).map(([value, name]) => ({ name, value })),
				default: 'any',
				description: 'Which changes in the number of students start the workflow',
				displayOptions: { show: { event: ['studentCountChanged'] } },
			},
			{
				displayName: 'Filters',
				name: 'filters',
				type: 'collection',
				placeholder: 'Add Filter',
				default: {},
				options: [nameFilter],
			},
		],
	};

	poll = poll;
}
