import type { INodeProperties } from 'n8n-workflow';
import { CLASS_LIST, readPage } from '../../classes/classPage';
import { CLASSES_PER_PAGE, readClasses } from '../../classes/readClasses';
import { filtersField, readNameFilter } from '../../fields/filters';
import type { ItemParameters } from '../../fields/parameters';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { parseBoolean } from '../../values/boolean';
import { toObject } from '../../values/json';
import { readValues } from '../../values/readValues';
import { parseOptionalText } from '../../values/text';
import { parseOptionalWholeNumber, parseWholeNumber } from '../../values/wholeNumber';

const fields: INodeProperties[] = [
	{
		displayName: 'Return All',
		name: 'returnAll',
		type: 'boolean',
		default: false,
		description: 'Whether to return all results or only up to a given limit',
	},
	{
		displayName: 'Limit',
		name: 'limit',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Max number of results to return',
		displayOptions: { show: { returnAll: [false] } },
	},
	filtersField,
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
				description: 'Return only this page. The first page is 0 or 1, depending on the service.',
				displayOptions: { show: { '/returnAll': [false] } },
			},
			{
				displayName: 'Page Size',
				name: 'pageSize',
				type: 'number',
				typeOptions: { minValue: 1 },
				default: CLASSES_PER_PAGE,
				description: 'Maximum number of classes per request. The service may return fewer.',
			},
			{
				displayName: 'Sort By',
				name: 'sortBy',
				type: 'string',
				default: '',
				placeholder: 'e.g. name',
				description: 'Sort order, passed to the service unchanged',
			},
		],
	},
];

const endpoint = {
	...CLASS_LIST,
	likelyCauses:
		"Check 'Sort By', 'Page' and 'Page Size'. Most likely the service rejected one of them.",
};

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many classes',
	description: 'Get many classes, with their IDs, names and student counts',
	participle: 'read',
	endpoint,
	fields,
	execute: eachItem((parameters) => {
		const { limit, page, ...query } = readOptions(parameters);
		return async (client) => {
			if (page === undefined) return await readClasses(client, { ...query, limit }, endpoint);
			const { pageSize = limit } = query;
			const { classes } = await readPage(client, { ...query, pageSize, page }, endpoint);
			return classes.slice(0, limit);
		};
	}),
};

function readOptions({ get }: ItemParameters) {
	const { sortBy, page, pageSize } = toObject(get('options'));
	const returnAll = parseBoolean(get('returnAll'), 'Return All');
	return readValues({
		nameFilter: () => readNameFilter(get('filters')),
		sortBy: () => parseOptionalText(sortBy, 'Sort By'),
		pageSize: () => parseOptionalWholeNumber(pageSize, 'Page Size', 1),
		limit: () => (returnAll ? Infinity : parseWholeNumber(get('limit'), 'Limit', 1)),
		page: () => (returnAll ? undefined : parseOptionalWholeNumber(page, 'Page', 0)),
	});
}
