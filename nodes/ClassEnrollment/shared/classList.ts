import { type IDataObject, UserError } from 'n8n-workflow';
import { type Endpoint, requestTo } from './operation';
import type { ClassPage, ReadPage } from './paging';
import type { Send } from './transport/send';
import { asObject, isObject } from './values/json';

/** How many classes to ask for at a time where the user does not say. */
export const CLASSES_PER_PAGE = 100;

export const classListEndpoint: Endpoint = { method: 'GET', url: '/classe' };

/** The service's own parameters of its class list, apart from those of paging. */
export interface ClassListQuery {
	query?: string;
	sortBy?: string;
}

/** Reads pages of the class list (interface, section 4.1). */
export function classPageReader(send: Send, listQuery: ClassListQuery): ReadPage {
	return async (page, pageSize) => {
		const answer = await send({
			...requestTo(classListEndpoint),
			query: { ...(page === undefined ? {} : { page }), pageSize, ...listQuery },
			likelyCauses:
				"Check 'Sort By', 'Page' and 'Page Size': the service may not accept their values.",
		});
		return answer === undefined ? { classes: [] } : readAnswer(asObject(answer));
	};
}

function readAnswer({ data, totalRecords }: IDataObject): ClassPage {
	if (!Array.isArray(data)) {
		throw new UserError('The service answered without a list of classes', {
			description:
				"Check the Base URL of the credential 'Class Enrollment API': it must be the address of the API including the version.",
		});
	}
	const classes = (data as unknown[]).filter(isObject);
	const total = typeof totalRecords === 'string' ? Number(totalRecords) : totalRecords;
	// A total below what one page holds is none.
	const isTotal = typeof total === 'number' && Number.isInteger(total) && total >= classes.length;
	return isTotal ? { classes, total } : { classes };
}
