import { FORMS, TRIGGER_FORMS } from '../e2e/editor/forms';

// What the end-to-end tests expect in the editor comes from the node's description. Three forms show that it comes right.
const formOf = (title: string) =>
	[...FORMS, ...TRIGGER_FORMS].find((form) => form.title === title) ?? title;

test('an operation whose change is final', () => {
	expect(formOf('Remove From Class')).toMatchObject({
		parameters: { resource: 'student', operation: 'removeFromClass' },
		notices: [expect.stringContaining('to the class again')],
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
	expect(formOf('Add to Several Classes for a duration')).toMatchObject({
		parameters: { operation: 'addToClasses', accessExpiration: 'duration' },
		notices: [],
		fields: [
			{ label: 'Credential' },
			{ label: 'Resource' },
			{ label: 'Operation' },
			{
				label: 'Class Names or IDs',
				description: 'Choose from the list, or specify IDs using an expression',
			},
			{ label: 'Email' },
			{ label: 'Name', description: 'Used if the student does not exist yet' },
			{ label: 'Access Expiration' },
			{ label: 'Duration' },
			{ label: 'Duration Unit' },
		],
		output: ['success', 'email', 'name', 'classIds', 'expirationDate'],
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
			{ label: 'Name Contains', description: 'Only classes whose name contains this text' },
		],
	});
});
