import { FORMS, TRIGGER_FORMS } from '../e2e/editor/forms';

// What the end-to-end tests expect in the editor comes from the node's description. Three forms show that it comes out right.
test.each([
	{
		title: 'Remove From Class',
		parameters: { resource: 'student', operation: 'removeFromClass' },
		notices: [expect.stringContaining('irreversible')],
		fields: ['Credential', 'Resource', 'Operation', 'Class', 'Email: Identifies the student'],
		output: ['deleted', 'email', 'classId'],
	},
	{
		title: 'Add Many to Class from JSON',
		parameters: { operation: 'addManyToClass', studentsFrom: 'json' },
		notices: [],
		fields: [
			...['Credential', 'Resource', 'Operation', 'Class', 'Students From', 'Students (JSON)'],
			...['Access Expiration: When access to the class ends', 'Options'],
		],
	},
	{
		title: 'Student Count Changed trigger with a filter',
		parameters: { event: 'studentCountChanged', filters: { query: 'Python' } },
		subtitle: 'Student Count Changed',
		notices: [],
		fields: [
			...['Credential', 'Poll Times: Time at which polling should occur'],
			...['Mode: How often to trigger.', 'Trigger On', 'Direction', 'Filters'],
			'Name Contains: Only classes whose name contains this text, as the service compares it',
		],
	},
])('$title', ({ title, fields, ...others }) => {
	const form = [...FORMS, ...TRIGGER_FORMS].find((other) => other.title === title)!;
	expect(form).toMatchObject(others);
	const expected = fields.map((field) => field.split(': '));
	expect(form.fields.map(({ label }) => label)).toEqual(expected.map(([label]) => label));
	for (const [n, [, description]] of expected.entries()) {
		if (description) expect(form.fields[n]).toMatchObject({ description });
	}
});
