import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { classChoice } from '../shared/classChoice';
import { classPageReader, CLASSES_PER_PAGE } from '../shared/classList';
import { connectEditor } from '../shared/connectEditor';
import { readPageZero } from '../shared/paging';
import { optionalText } from '../shared/values/text';

/**
 * Lists one page of classes for a class picker.
 * @param filter what the user typed; the service searches for it in the names
 * @param paginationToken the page to read and how many classes were listed before it, as "page:listed"
 */
export async function searchClasses(
	this: ILoadOptionsFunctions,
	filter?: string,
	paginationToken?: string,
): Promise<INodeListSearchResult> {
	const readPage = classPageReader(await connectEditor(this), {
		query: optionalText(filter, 'Search'),
	});
	const [number = 1, listedBefore = 0] = paginationToken?.split(':').map(Number) ?? [];

	const page = await readPage(number, CLASSES_PER_PAGE);
	// An empty page while classes are missing: the service counts its pages from 0.
	if (page.classes.length === 0 && (page.total ?? 1) > listedBefore) {
		const { classes } = await readPageZero(readPage, CLASSES_PER_PAGE);
		return { results: classes.map(classChoice) };
	}
	const listed = listedBefore + page.classes.length;
	const isLast = page.classes.length === 0 || listed >= (page.total ?? Infinity);
	return {
		results: page.classes.map(classChoice),
		...(isLast ? {} : { paginationToken: `${number + 1}:${listed}` }),
	};
}
