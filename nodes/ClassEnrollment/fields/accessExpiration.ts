import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { parseChoice } from '../values/choice';
import { DURATION_UNITS, parseDate, parseDurationEnd } from '../values/expiration';
import { propertyHint } from './builderHint';
import type { ItemParameters } from './parameters';

const ACCESS_EXPIRATIONS = {
	none: 'Never',
	date: 'On a Date',
	duration: 'After a Duration',
} as const;
const ACCESS_EXPIRATIONS_OF_MANY = {
	...ACCESS_EXPIRATIONS,
	field: 'On a Date From the Input',
} as const;

const OPTIONS: INodePropertyOptions[] = [
	{
		name: ACCESS_EXPIRATIONS.duration,
		value: 'duration',
		description: 'Counted from when the node runs, e.g. 12 months',
	},
	{ name: ACCESS_EXPIRATIONS.none, value: 'none', description: 'Access never ends' },
	{ name: ACCESS_EXPIRATIONS.date, value: 'date', description: 'A date you specify' },
];

const DATE_FROM_INPUT: INodePropertyOptions = {
	name: ACCESS_EXPIRATIONS_OF_MANY.field,
	value: 'field',
	description: 'Each item has its own date; empty means never',
};

const CHOICE: INodeProperties = {
	displayName: 'Access Expiration',
	name: 'accessExpiration',
	type: 'options',
	options: OPTIONS,
	default: 'none',
	description: 'When access to the class ends',
};

const DATE_AND_DURATION: INodeProperties[] = [
	{
		displayName: 'Expiration Date',
		name: 'expirationDate',
		type: 'dateTime',
		default: '',
		description:
			"When access ends. Without a time, that is the start of the day. Without a time zone, it is the workflow's.",
		...propertyHint(
			'ISO 8601, such as 2027-01-31T23:59:59. If it is empty, the node fails instead of giving unlimited access.',
		),
		displayOptions: { show: { accessExpiration: ['date'] } },
	},
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
		options: Object.entries(DURATION_UNITS).map(([value, name]) => ({ name, value })),
		default: 'months',
		displayOptions: { show: { accessExpiration: ['duration'] } },
	},
];

/** When access ends: never, on a date, or after a duration. */
export const accessExpirationFields: INodeProperties[] = [CHOICE, ...DATE_AND_DURATION];

/** The same for students that may be the input items, each with a date of its own. */
export const accessExpirationFieldsOfMany: INodeProperties[] = [
	{
		...CHOICE,
		options: [...OPTIONS, DATE_FROM_INPUT],
		...propertyHint(
			"Also available when studentsFrom is 'list' or 'json', but without 'field', which reads a date from each input item.",
		),
		displayOptions: { show: { studentsFrom: ['inputItems'] } },
	},
	{ ...CHOICE, displayOptions: { show: { studentsFrom: ['list', 'json'] } } },
	...DATE_AND_DURATION,
];

/**
 * Reads when access ends for an item's student.
 * @param readDateFromInput reads the date for the choice "field", if that choice is allowed
 * @returns ISO 8601 in UTC, or undefined if access never ends
 * @throws InvalidValueError if a value cannot be used: nobody gets lifelong access because a field was empty
 */
export function readExpirationDate(
	{ get, now }: ItemParameters,
	readDateFromInput?: () => string | undefined,
): string | undefined {
	const allowed: Record<string, string> = readDateFromInput
		? ACCESS_EXPIRATIONS_OF_MANY
		: ACCESS_EXPIRATIONS;
	switch (parseChoice(get(CHOICE.name), allowed, CHOICE.displayName)) {
		case 'date':
			return parseDate(get('expirationDate'), 'Expiration Date', now.zone);
		case 'duration':
			return parseDurationEnd(get('durationAmount'), get('durationUnit'), now);
		case 'field':
			return readDateFromInput?.();
		default:
			return undefined;
	}
}
