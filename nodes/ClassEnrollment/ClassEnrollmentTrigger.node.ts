import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
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
		subtitle: '={{ $parameter["event"] }}',
		description: 'Starts the workflow when classes are created or changed',
		defaults: { name: 'Class Enrollment Trigger' },
		polling: true,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'classEnrollmentApi', required: true }],
		properties: [
			{
				displayName: 'Event',
				name: 'event',
				type: 'options',
				noDataExpression: true,
				options: [
					{
						name: 'Class Created',
						value: 'classCreated',
						description: 'When a class is created',
					},
					{
						name: 'Class Updated',
						value: 'classUpdated',
						description: 'When an existing class is changed',
					},
					{
						name: 'Student Count Changed',
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
				options: [
					{ name: 'Any', value: 'any' },
					{ name: 'Decreased', value: 'decreased' },
					{ name: 'Increased', value: 'increased' },
				],
				default: 'any',
				description: 'Which changes in the number of students start the workflow',
				displayOptions: { show: { event: ['studentCountChanged'] } },
			},
			{
				displayName: 'Name Contains',
				name: 'query',
				type: 'string',
				default: '',
				description: 'Only classes whose name contains this text',
			},
		],
	};

	poll = poll;
}
