import type { INodeProperties } from 'n8n-workflow';
import {
	CLASS_LIST,
	type ClassListQuery,
	createPageReader,
	readNumberedPage,
} from '../../classes/classPages';
import { CLASSES_PER_PAGE, readClasses } from '../../classes/readClasses';
import { filtersField, readNameFilter } from '../../fields/filters';
import type { ItemParameters } from '../../fields/parameters';
import { eachItem } from '../../operation/eachRow';
import type { Operation } from '../../operation/operation';
import { parseBoolean } from '../../values/boolean';
import { isBlank, parseOptionalText } from '../../values/text';
import { parseWholeNumber } from '../../values/wholeNumber';

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
				description:
					'Return only this page. Whether pages are numbered from 0 or 1 depends on the service.',
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

export const getAll: Operation = {
	name: 'Get Many',
	value: 'getAll',
	action: 'Get many classes',
	description: 'Get many classes, with their IDs, names and student counts',
	done: 'read',
	endpoint: CLASS_LIST,
	fields,
	execute: eachItem((parameters, { showHint }) => {
		const { listQuery, limit, page, pageSize, isPageSizeSet } = readOptions(parameters);
		return async (client) => {
			const readPage = createPageReader(client, listQuery);
			if (page !== undefined) {
				if (isPageSizeSet) return (await readPage(page, pageSize)).classes.slice(0, limit);
				const found = await readNumberedPage(readPage, page, pageSize);
				if (found.pageSize !== pageSize) {
					showHint(
						`This is page ${page} in pages of ${found.pageSize} classes, not of ${pageSize}, which the service rejects. Set 'Page Size' to choose.`,
					);
				}
				return found.classes.slice(0, limit);
			}
			const { classes, total } = await readClasses(readPage, { pageSize, limit });
			if (total !== undefined) {
				showHint(`The service reports ${total} classes but returned only ${classes.length}.`);
			}
			return classes;
		};
	}),
};

function readOptions({ get }: ItemParameters) {
	const options = (get('options') ?? {}) as Record<string, unknown>;
	const listQuery: ClassListQuery = {
		nameFilter: readNameFilter(get('filters')),
		sortBy: parseOptionalText(options.sortBy, 'Sort By'),
		likelyCauses:
			"Check 'Sort By', 'Page' and 'Page Size'. Most likely the service rejected one of them.",
	};
	const returnAll = parseBoolean(get('returnAll'), 'Return All');
	const limit = returnAll ? Infinity : parseWholeNumber(get('limit'), 'Limit', 1);
	const page =
		returnAll || isBlank(options.page) ? undefined : parseWholeNumber(options.page, 'Page', 0);
	const defaultPageSize = page === undefined ? CLASSES_PER_PAGE : limit;
	const isPageSizeSet = !isBlank(options.pageSize);
	const pageSize = isPageSizeSet
		? parseWholeNumber(options.pageSize, 'Page Size', 1)
		: defaultPageSize;
	return { listQuery, limit, page, pageSize, isPageSizeSet };
}
