import { type IDataObject, UserError } from 'n8n-workflow';
import type { Send } from '../transport/client';
import { isObject, toObject } from '../transport/json';
import type { ClassPage, ReadPage } from './readClasses';

/** How many classes to request at a time where the user does not say. */
export const CLASSES_PER_PAGE = 100;

/** The service's class list (interface, section 4.1). */
export const CLASS_LIST = {
	method: 'GET',
	path: '/classe',
	likelyCauses:
		"Check 'Sort By', 'Page' and 'Page Size': most likely the service rejected one of them.",
} as const;

/** The service's own parameters of its class list, apart from those of paging. */
export interface ClassListQuery {
	query?: string;
	sortBy?: string;
}

/** Returns a function that reads one page of the class list. */
export function createPageReader(send: Send, listQuery: ClassListQuery): ReadPage {
	return async (page, pageSize) => {
		const json = await send({
			...CLASS_LIST,
			query: { ...(page === undefined ? {} : { page }), pageSize, ...listQuery },
		});
		return json === undefined ? { classes: [] } : toPage(toObject(json));
	};
}

function toPage({ data, totalRecords }: IDataObject): ClassPage {
	if (!Array.isArray(data)) {
		throw new UserError('The response contains no list of classes', {
			description:
				"Check the Base URL of the credential 'Class Enrollment API': it must be the address of the API including the version.",
		});
	}
	const classes = (data as unknown[]).filter(isObject);
	const total = typeof totalRecords === 'string' ? Number(totalRecords) : totalRecords;
	// A total below what one page contains is none.
	const isTotal = typeof total === 'number' && Number.isInteger(total) && total >= classes.length;
	return isTotal ? { classes, total } : { classes };
}
