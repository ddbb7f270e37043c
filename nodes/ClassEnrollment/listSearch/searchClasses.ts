import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toChoices } from '../classes/choices';
import {
	type ClassPage,
	CLASSES_PER_PAGE,
	createPageReader,
	readFirstPage,
	readPageIfAny,
} from '../classes/classPages';
import { idOf } from '../classes/idOf';
import { openEditorClient } from '../connection/openClient';
import { parseOptionalText } from '../values/text';

/** Where the list continues. */
interface Position {
	/** The number of the next page. */
	next: number;
	pageSize: number;
	/** How many classes were listed. */
	listed: number;
	/** How many there are in all, if the service reports it. */
	total?: number;
	/** The first class of all. */
	firstId?: string;
}

/**
 * Lists one page of classes for a class picker.
 * @param filter what the user typed; the service searches for it in the names
 * @param paginationToken a Position as JSON; without it the first page is listed
 * @throws ServiceError if a page that exists cannot be read
 */
export async function searchClasses(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const client = await openEditorClient(this);
	const readPage = createPageReader(client, { query: parseOptionalText(filter, 'Search') });
	if (paginationToken === undefined) {
		const { pageSize, ...first } = await readFirstPage(readPage, CLASSES_PER_PAGE);
		const { classes, total } = first;
		const firstId = classes[0] && idOf(classes[0]);
		// With the size that came: a service that returns fewer than requested may limit its pages to it.
		const size = Math.min(classes.length || pageSize, pageSize);
		return toResult(first, { next: 1, pageSize: size, listed: 0, total, firstId });
	}

	const position = JSON.parse(paginationToken) as Position;
	const { next, pageSize, listed, total, firstId } = position;
	// A service that counts its pages from 1 lists the first page again; one without pages does so every time.
	for (const number of next === 1 ? [1, 2] : [next]) {
		const page = await readPageIfAny(readPage, number, pageSize, total === undefined);
		if (page.refusal && listed < (total ?? 0)) throw page.refusal;
		const id = page.classes[0] && idOf(page.classes[0]);
		if (id === undefined || id !== firstId) {
			return toResult(page, { ...position, next: number + 1 });
		}
	}
	return { results: [] };
}

function toResult({ classes }: ClassPage, position: Position): INodeListSearchResult {
	const listed = position.listed + classes.length;
	const isLast = classes.length === 0 || listed >= (position.total ?? Infinity);
	return {
		results: toChoices(classes),
		...(isLast ? {} : { paginationToken: JSON.stringify({ ...position, listed }) }),
	};
}
