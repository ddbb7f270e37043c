/** What the form can do, as its list shows it. */
export const GIVE = 'Give access until a day';
export const END = 'End access';
export const LINK = 'Send a new link';
export const CORRECT = 'Correct the address';

/** The labels of the second page. n8n uses them as the names of the answers. */
export const NAME = 'Name';
export const CLASS = 'Class';
export const CLASS_ID = 'Class ID';
export const UNTIL = 'Access until the end of';
export const NEW_EMAIL = 'New address';

/** A class as the node Class Enrollment lists it. If it can't, `id` is missing. */
export interface Class {
	id?: string;
	name?: string;
}

/** A field of a form, as n8n's forms take it in JSON. */
export interface Field {
	fieldLabel: string;
	/** Not `email`: n8n takes only some of the addresses that there are, and no mistyped one, which is corrected. */
	fieldType: 'text' | 'date' | 'dropdown';
	requiredField: boolean;
	fieldOptions?: { values: Array<{ option: string }> };
}

/** A class in the list. Two classes may have the same name. */
export const optionOf = ({ id = '', name = '' }: Class) => `${name} (${id})`;

/**
 * The text above the fields: for whom they are, and what to know before.
 * @param hasBook whether the book of sales of Class access knows what the old address has paid
 */
export function introduce(
	action: string,
	email: string,
	classes: Class[],
	hasBook = false,
): string {
	const fields = fieldsFor(action, classes, hasBook).map(({ fieldLabel }) => fieldLabel);
	return [
		email,
		action === END ? "You can't undo this." : '',
		hasBook ? '' : (ABOUT_THE_DAY[action] ?? ''),
		fields.includes(CLASS_ID) ? (hasBook ? NO_PRODUCTS : NO_CLASSES) : '',
	]
		.filter(Boolean)
		.join('\n');
}

/** Without a book of sales, the learning platform may take a day in place of a later one. */
const ABOUT_THE_DAY: Record<string, string | undefined> = {
	[GIVE]:
		'If they have access already, the day that you enter may replace theirs, also a later one.',
	[CORRECT]: 'Look in your learning platform first: the day that you enter replaces the old one.',
};

const NO_CLASSES =
	"The classes can't be listed now. Try later, or enter the class ID from your learning platform.";
const NO_PRODUCTS =
	'class_products has no class. Add one there, or enter the class ID from your learning platform.';

/**
 * The fields that an action needs. Without a list of classes, the class is asked for by its ID.
 * @param hasBook whether the book of sales of Class access knows what the old address has paid
 */
export function fieldsFor(action: string, classes: Class[], hasBook = false): Field[] {
	if (action === LINK) return [];
	if (action === CORRECT && hasBook) return [field(NEW_EMAIL, 'text'), field(NAME, 'text', false)];
	const listed = classes.filter(({ id }) => id !== undefined);
	const values = listed.map((listedClass) => ({ option: optionOf(listedClass) }));
	const whichClass: Field =
		values.length > 0
			? { ...field(CLASS, 'dropdown'), fieldOptions: { values } }
			: field(CLASS_ID, 'text');
	if (action === END) return [whichClass];
	return [
		...(action === CORRECT ? [field(NEW_EMAIL, 'text')] : []),
		field(NAME, 'text', false),
		whichClass,
		field(UNTIL, 'date'),
	];
}

/** The fields as n8n's forms take them. n8n would put something else in place of two dollar signs, as of a class about money. */
export const toFormJson = (fields: Field[]): string =>
	JSON.stringify(fields).replaceAll('$', '\\u0024');

function field(fieldLabel: string, fieldType: Field['fieldType'], requiredField = true): Field {
	return { fieldLabel, fieldType, requiredField };
}
