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

/** Where the list goes on. */
interface Position {
	/** The number of the next page. */
	next: number;
	pageSize: number;
	/** How many classes were listed. */
	listed: number;
	/** The first class of all. */
	firstId?: string;
}

/**
 * Lists one page of classes for a class picker.
 * @param filter what the user typed; the service searches for it in the names
 * @param paginationToken a Position as JSON; without it the first page is listed
 */
export async function searchClasses(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const send = await openEditorClient(this);
	const readPage = createPageReader(send, { query: parseOptionalText(filter, 'Search') });
	if (paginationToken === undefined) {
		const { pageSize, ...first } = await readFirstPage(readPage, undefined, CLASSES_PER_PAGE);
		const firstId = first.classes[0] && idOf(first.classes[0]);
		return toResult(first, { next: 1, pageSize, listed: 0, firstId });
	}

	const position = JSON.parse(paginationToken) as Position;
	const { next, pageSize, firstId } = position;
	const known = { number: undefined, pageSize };
	// A service that counts its pages from 1 lists the first page again; one without pages does so every time.
	for (const number of next === 1 ? [1, 2] : [next]) {
		const page = await readPageIfAny(readPage, number, known);
		const id = page.classes[0] && idOf(page.classes[0]);
		if (id === undefined || id !== firstId)
			return toResult(page, { ...position, next: number + 1 });
	}
	return { results: [] };
}

function toResult({ classes, total }: ClassPage, position: Position): INodeListSearchResult {
	const listed = position.listed + classes.length;
	const isLast = classes.length === 0 || listed >= (total ?? Infinity);
	return {
		results: toChoices(classes),
		...(isLast ? {} : { paginationToken: JSON.stringify({ ...position, listed }) }),
	};
}
