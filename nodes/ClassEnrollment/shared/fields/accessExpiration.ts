import type { IDisplayOptions, INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import type { ItemParameters } from '../operation';
import { readChoice } from '../values/choice';
import { DURATION_UNITS, readDate, readDurationEnd } from '../values/expiration';

const ACCESS_EXPIRATIONS = {
	none: 'Never',
	date: 'On a Date',
	duration: 'After a Duration',
	field: 'On a Date From the Input',
} as const;

const NEVER_DATE_OR_DURATION: INodePropertyOptions[] = [
	{
		name: ACCESS_EXPIRATIONS.duration,
		value: 'duration',
		description: 'Counted from the moment the step runs, for example 12 months',
	},
	{
		name: ACCESS_EXPIRATIONS.none,
		value: 'none',
		description: 'The access does not end by itself',
	},
	{ name: ACCESS_EXPIRATIONS.date, value: 'date', description: 'A date that you give' },
];

const FIELD_OF_EACH_ITEM: INodePropertyOptions = {
	name: ACCESS_EXPIRATIONS.field,
	value: 'field',
	description: 'Every student has a date of their own; an empty one means never',
};

type Show = NonNullable<IDisplayOptions['show']>;

/** The choice when access ends, without the fields that belong to it. */
export function accessExpirationChoice(show: Show, withField = false): INodeProperties {
	const options = withField
		? [...NEVER_DATE_OR_DURATION, FIELD_OF_EACH_ITEM]
		: NEVER_DATE_OR_DURATION;
	return {
		displayName: 'Access Expiration',
		name: 'accessExpiration',
		type: 'options',
		options,
		default: 'none',
		description: 'When the access to the class ends',
		displayOptions: { show },
	};
}

/** The fields of the choices "date" and "duration", shared by all operations that enroll. */
export function accessExpirationFields(operations: string[]): INodeProperties[] {
	const showFor = (accessExpiration: string): IDisplayOptions => ({
		show: { resource: ['student'], operation: operations, accessExpiration: [accessExpiration] },
	});
	return [
		{
			displayName: 'Expiration Date',
			name: 'expirationDate',
			type: 'dateTime',
			default: '',
			description:
				"When the access ends. A date without a time zone is read in the workflow's time zone.",
			displayOptions: showFor('date'),
		},
		{
			displayName: 'Duration',
			name: 'durationAmount',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 12,
			required: true,
			description: 'After how many days, weeks, months or years the access ends',
			displayOptions: showFor('duration'),
		},
		{
			displayName: 'Duration Unit',
			name: 'durationUnit',
			type: 'options',
			options: Object.entries(DURATION_UNITS).map(([value, name]) => ({ name, value })),
			default: 'months',
			displayOptions: showFor('duration'),
		},
	];
}

/**
 * Reads when the access of an item's student ends.
 * @param dateOfField gives the date of the choice "field", where that choice is allowed
 * @returns ISO 8601 in UTC, or undefined where it never ends
 * @throws InvalidValueError where the choice or what belongs to it cannot be used: nobody gets lifelong
 * access because a field was empty
 */
export function readExpirationDate(
	{ get, now }: ItemParameters,
	dateOfField?: () => string | undefined,
): string | undefined {
	const { field, ...choices } = ACCESS_EXPIRATIONS;
	const read: Record<string, () => string | undefined> = {
		none: () => undefined,
		date: () => readDate(get('expirationDate'), 'Expiration Date', now.zone),
		duration: () => readDurationEnd(get('durationAmount'), get('durationUnit'), now),
		...(dateOfField ? { field: dateOfField } : {}),
	};
	const allowed: Record<string, string> = dateOfField ? { ...choices, field } : choices;
	return read[readChoice(get('accessExpiration'), allowed, 'Access Expiration')]!();
}
