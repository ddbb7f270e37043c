const ADD = ['Email', 'Name', 'Access Expiration'];
const CLASSES = 'Class Names or IDs';
const FROM = ['Class', 'Students From'];
const EACH = [...FROM, 'Email Field', 'Name Field', 'Access Expiration'];
const END = ['Access Expiration', 'Options'];

const UNTIL = { accessExpiration: 'date' };
const FOR = { accessExpiration: 'duration' };
const DATED = { accessExpiration: 'field' };
const LIST = { studentsFrom: 'list' };
const JSON_TEXT = { studentsFrom: 'json' };

/** Every form, also with the fields that depend on an option: a title, the operation, and the labels of its own fields. */
const TABLE: Array<[title: string, operation: string, changed: object, labels: string[]]> = [
	['Get Many', 'getAll', {}, ['Return All', 'Limit', 'Filters', 'Options']],
	['Add to Class', 'addToClass', {}, ['Class', ...ADD]],
	['Add to Class until a date', 'addToClass', UNTIL, ['Class', ...ADD, 'Expiration Date']],
	['Add to Classes', 'addToClasses', {}, [CLASSES, ...ADD]],
	['Add for a Duration', 'addToClasses', FOR, [CLASSES, ...ADD, 'Duration', 'Duration Unit']],
	['Add Many', 'addManyToClass', {}, [...EACH, 'Options']],
	['Add Many with dates', 'addManyToClass', DATED, [...EACH, 'Expiration Field', 'Options']],
	['Add Many from a list', 'addManyToClass', LIST, [...FROM, 'Students', ...END]],
	['Add Many from JSON', 'addManyToClass', JSON_TEXT, [...FROM, 'Students (JSON)', ...END]],
	['Remove From Class', 'removeFromClass', {}, ['Class', 'Email']],
	['Remove From Classes', 'removeFromClasses', {}, [CLASSES, 'Email']],
	['Send Magic Link', 'sendMagicLink', {}, ['Email', 'Redirect URL']],
];
export const FORMS = TABLE.map(([title, operation, changed, labels]) => {
	const resource = operation === 'getAll' ? 'class' : 'student';
	const parameters = { resource, operation, ...changed };
	return { title, parameters, labels: ['Credential', 'Resource', 'Operation', ...labels] };
});
