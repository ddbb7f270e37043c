import type { INodeProperties } from 'n8n-workflow';
import { type Choice, findChoice, toShownOptions } from '../values/choice';
import { DURATION_UNITS, parseDate, parseDurationEnd } from '../values/expiration';
import { propertyHint } from './builderHint';
import type { ItemParameters } from './parameters';

/** When access ends: ISO 8601 in UTC, or undefined if it never ends. */
type End = string | undefined;
type Expiration = Choice & { read: (parameters: ItemParameters, readInput: () => End) => End };

const EXPIRATIONS: Expiration[] = [
	{
		name: 'After a Duration',
		value: 'duration',
		description: 'Counted from the time the node runs, e.g. 12 months',
		read: ({ get, now }) => parseDurationEnd(get('durationAmount'), get('durationUnit'), now),
	},
	{ name: 'Never', value: 'none', description: 'Access never ends', read: () => undefined },
	{
		name: 'On a Date',
		value: 'date',
		description: 'A date you specify',
		read: ({ get, now }) => parseDate(get(DATE_FIELD.name), DATE_FIELD.displayName, now.zone),
	},
];
/** For students that are input items. */
const EXPIRATIONS_OF_ITEMS: Expiration[] = [
	...EXPIRATIONS,
	{
		name: 'On a Date From the Input',
		value: 'field',
		description: "Use the date in each input item. If it's empty, access never ends.",
		read: (_, readInput) => readInput(),
	},
];

const CHOICE_FIELD: INodeProperties = {
	displayName: 'Access Expiration',
	name: 'accessExpiration',
	type: 'options',
	options: toShownOptions(EXPIRATIONS),
	default: 'none',
	description: 'When access to the class ends',
};

const DATE_FIELD: INodeProperties = {
	displayName: 'Expiration Date',
	name: 'expirationDate',
	type: 'dateTime',
	default: '',
	description:
		"When access ends. A date without a time means the start of that day. A date without a time zone uses the workflow's time zone.",
	...propertyHint(
		'ISO 8601, such as 2027-01-31T23:59:59. If it is empty, the node fails instead of giving unlimited access.',
	),
	displayOptions: { show: { accessExpiration: ['date'] } },
};

const DATE_AND_DURATION: INodeProperties[] = [
	DATE_FIELD,
	{
		displayName: 'Duration',
		name: 'durationAmount',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 12,
		required: true,
		description: 'Number of days, weeks, months or years until access ends',
		displayOptions: { show: { accessExpiration: ['duration'] } },
	},
	{
		displayName: 'Duration Unit',
		name: 'durationUnit',
		type: 'options',
		options: [...DURATION_UNITS],
		default: 'months',
		displayOptions: { show: { accessExpiration: ['duration'] } },
	},
];

/** When access ends: never, on a date, or after a duration. */
export const accessExpirationFields: INodeProperties[] = [CHOICE_FIELD, ...DATE_AND_DURATION];

/** The same for students that may be the input items, each with its own date. */
export const accessExpirationFieldsOfMany: INodeProperties[] = [
	{
		...CHOICE_FIELD,
		options: toShownOptions(EXPIRATIONS_OF_ITEMS),
		...propertyHint(
			"Also available when studentsFrom is 'list' or 'json', but without 'field', which reads a date from each input item.",
		),
		displayOptions: { show: { studentsFrom: ['inputItems'] } },
	},
	{ ...CHOICE_FIELD, displayOptions: { show: { studentsFrom: ['list', 'json'] } } },
	...DATE_AND_DURATION,
];

/**
 * Reads when access ends for a student: ISO 8601 in UTC, or undefined if it never ends. It throws InvalidValueError if a
 * value cannot be used: nobody gets lifelong access because a field was empty.
 * @param readInput reads it from the input item that is the student; without it, the item cannot be chosen
 */
export function readExpiration(parameters: ItemParameters, readInput?: () => End) {
	const choices = readInput ? EXPIRATIONS_OF_ITEMS : EXPIRATIONS;
	const { name, displayName } = CHOICE_FIELD;
	const { read } = findChoice(parameters.get(name), choices, displayName);
	return read(parameters, readInput!);
}
