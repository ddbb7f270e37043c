import { FORMS, TRIGGER_FORMS } from '../e2e/editor/forms';

// What the end-to-end tests expect in the editor comes from the node's description. Three forms show that it comes out right.
const formOf = (title: string) =>
	[...FORMS, ...TRIGGER_FORMS].find((form) => form.title === title) ?? title;

test('an operation whose change is final', () => {
	expect(formOf('Remove From Class')).toMatchObject({
		parameters: { resource: 'student', operation: 'removeFromClass' },
		notices: [expect.stringContaining('irreversible')],
		fields: [
			{ label: 'Credential' },
			{ label: 'Resource' },
			{ label: 'Operation' },
			{ label: 'Class', description: expect.any(String) },
			{ label: 'Email', description: 'Identifies the student' },
		],
		output: ['deleted', 'email', 'classId'],
	});
});

test('an operation with the fields of an option', () => {
	expect(formOf('Add Many to Class from JSON')).toMatchObject({
		parameters: { operation: 'addManyToClass', studentsFrom: 'json' },
		notices: [],
		fields: [
			{ label: 'Credential' },
			{ label: 'Resource' },
			{ label: 'Operation' },
			{ label: 'Class' },
			{ label: 'Students From' },
			{ label: 'Students (JSON)' },
			{ label: 'Access Expiration', description: 'When access to the class ends' },
			{ label: 'Options' },
		],
	});
});

test('an event with a filter', () => {
	expect(formOf('Student Count Changed trigger with a filter')).toMatchObject({
		parameters: { event: 'studentCountChanged', filters: { query: 'Python' } },
		subtitle: 'Student Count Changed',
		notices: [],
		fields: [
			{ label: 'Credential' },
			{ label: 'Poll Times', description: 'Time at which polling should occur' },
			{ label: 'Mode', description: 'How often to trigger.' },
			{ label: 'Trigger On' },
			{ label: 'Direction' },
			{ label: 'Filters' },
			{
				label: 'Name Contains',
				description: 'Only classes whose name contains this text, as the service compares it',
			},
		],
	});
});
