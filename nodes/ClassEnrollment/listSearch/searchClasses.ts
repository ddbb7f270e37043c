import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toChoices } from '../classes/choices';
import { CLASSES_PER_PAGE, createPageReader } from '../classes/classPages';
import { type ClassPage, idOf, readPageIfAny } from '../classes/readClasses';
import { openClient } from '../fields/client';
import { parseOptionalText } from '../values/text';

/** Where the list goes on: the number of the next page, how many were listed, and the first one of all. */
type Position = [page: number, listed: number, firstId: string | undefined];

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
	const send = await openClient(this, this.getCurrentNodeParameter('requestOptions'));
	const readPage = createPageReader(send, { query: parseOptionalText(filter, 'Search') });
	if (paginationToken === undefined) {
		const first = await readPage(undefined, CLASSES_PER_PAGE);
		return asResult(first, [1, 0, first.classes[0] && idOf(first.classes[0])]);
	}

	const [number, listed, firstId] = JSON.parse(paginationToken) as Position;
	const page = await readPageIfAny(readPage, number, CLASSES_PER_PAGE);
	const isFirstAgain = number === 1 && page.classes[0] && idOf(page.classes[0]) === firstId;
	if (!isFirstAgain) return asResult(page, [number + 1, listed, firstId]);
	// The service counts its pages from 1.
	return asResult(await readPageIfAny(readPage, 2, CLASSES_PER_PAGE), [3, listed, firstId]);
}

function asResult({ classes, total }: ClassPage, [next, before, firstId]: Position) {
	const listed = before + classes.length;
	const isLast = classes.length === 0 || listed >= (total ?? Infinity);
	return {
		results: toChoices(classes),
		...(isLast ? {} : { paginationToken: JSON.stringify([next, listed, firstId]) }),
	};
}
