import { isNil } from 'lodash';
import type { INodeProperties } from 'n8n-workflow';
import { toObject } from '../values/json';
import { InvalidValueError } from '../values/invalidValue';
import { parseOptionalText } from '../values/text';

const NAME_CONTAINS = 'Name Contains';

/** The filters of a class list; the service applies them. */
export const filtersField: INodeProperties = {
	displayName: 'Filters',
	name: 'filters',
	type: 'collection',
	placeholder: 'Add Filter',
	default: {},
	options: [
		{
			displayName: NAME_CONTAINS,
			name: 'query',
			type: 'string',
			default: '',
			description:
				'Return only classes whose name contains this text. The service does the comparing.',
		},
	],
};

/** Reads the name filter from the value of that field; throws InvalidValueError for anything but text. */
export function readNameFilter(filters: unknown): string | undefined {
	const added = toObject(filters);
	if ('query' in added && isNil(added.query)) {
		// An expression without a result. All classes would be returned, and students may be added to them.
		const advice = 'Check the expression, or remove the filter.';
		throw new InvalidValueError(NAME_CONTAINS, 'is empty', advice);
	}
	return parseOptionalText(added.query, NAME_CONTAINS);
}
