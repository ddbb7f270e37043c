import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import {
	classListEndpoint,
	type ClassListQuery,
	classPageReader,
	CLASSES_PER_PAGE,
} from '../../shared/classList';
import { eachItem, type PrepareItem } from '../../shared/eachItem';
import { asCustomOperation, asRouting, type ItemParameters } from '../../shared/operation';
import { readClasses } from '../../shared/paging';
import { readBoolean } from '../../shared/values/boolean';
import { isBlank, optionalText } from '../../shared/values/text';
import { readWholeNumber } from '../../shared/values/wholeNumber';

const show = { resource: ['class'], operation: ['getAll'] };

export const getAllFields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
		displayOptions: { show },
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { ...show, returnAll: [false] } },
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [
			{
				displayName: 'Name Contains',
				name: 'query',
				type: 'string',
				default: '',
				description: 'Only classes with this text in their name',
			},
		],
		displayOptions: { show },
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			{
				displayName: 'Page',
				name: 'page',
				type: 'number',
				typeOptions: { minValue: 0 },
				default: 1,
				description: 'Fetches exactly this page, in the way the service counts pages',
				displayOptions: { show: { '/returnAll': [false] } },
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: CLASSES_PER_PAGE,
				description: 'How many classes to ask for in one request. The service may send fewer.',
			},
			{
				displayName: 'Sort By',
				name: 'sortBy',
				type: 'string',
				default: '',
				placeholder: 'e.g. name',
				description: 'The order of the classes, in the words of the service',
			},
		],
		displayOptions: { show },
	},
];

const prepare: PrepareItem = (parameters) => {
	const options = collection(parameters, 'options');
	const listQuery: ClassListQuery = {
		query: optionalText(collection(parameters, 'filters').query, 'Name Contains'),
		sortBy: optionalText(options.sortBy, 'Sort By'),
	};
	const returnAll = readBoolean(parameters.get('returnAll'), 'Return All');
	const limit = returnAll ? Infinity : readWholeNumber(parameters.get('limit'), 'Limit', 1);
	const page =
		returnAll || isBlank(options.page) ? undefined : readWholeNumber(options.page, 'Page', 0);
	const pageSize = isBlank(options.pageSize)
		? page === undefined
			? CLASSES_PER_PAGE
			: limit
		: readWholeNumber(options.pageSize, 'Page Size', 1);

	return async (send, hint) => {
		const readPage = classPageReader(send, listQuery);
		if (page !== undefined) return (await readPage(page, pageSize)).classes.slice(0, limit);
		const { classes, missing } = await readClasses(readPage, { pageSize, limit });
		if (missing > 0)
			hint(`The service sent ${classes.length} classes and speaks of ${missing} more.`);
		return classes;
	};
};

const run = eachItem(prepare);

export const getAllOption: INodePropertyOptions = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many classes',
	description: 'Get many classes',
	routing: asRouting(classListEndpoint, run),
};

export const getAll = asCustomOperation(run);

function collection({ get }: ItemParameters, name: string): Record<string, unknown> {
	return (get(name) ?? {}) as Record<string, unknown>;
}
