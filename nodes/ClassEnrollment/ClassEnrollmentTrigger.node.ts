import { NodeConnectionTypes, type INodeType, type INodeTypeDescription } from 'n8n-workflow';
import { searchHint } from './fields/builderHint';
import { filtersField } from './fields/filters';
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
		subtitle: `={{ (${JSON.stringify(EVENTS)})[$parameter["event"]] }}`,
		description: 'Starts the workflow when classes are created or changed',
		defaults: { name: 'Class Enrollment Trigger' },
		...searchHint(
			'Starts a workflow on new or changed classes, or when student counts change, e.g. when a class is full. It polls the class list; it cannot see which student was added.',
		),
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
			filtersField,
		],
	};

	poll = poll;
}
