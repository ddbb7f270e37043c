import type { ILoadOptionsFunctions, INodeListSearchResult } from 'n8n-workflow';
import { toChoices } from '../classes/choices';
import { createPageReader } from '../classes/classPages';
import { readClasses } from '../classes/readClasses';
import { openEditorClient } from '../connection/openClient';
import { parseOptionalText } from '../values/text';

// More than anybody scrolls through; the user finds the others by their names (README).
const MAX_CHOICES = 1000;

/** Lists the classes whose names contain what the user typed, as the service compares it; throws ServiceError. */
export async function searchClasses(
	this: ILoadOptionsFunctions,
	filter?: string,
): Promise<INodeListSearchResult> {
	const client = await openEditorClient(this);
	const readPage = createPageReader(client, {
		nameFilter: parseOptionalText(filter, 'Search'),
	});
	const { classes } = await readClasses(readPage, { limit: MAX_CHOICES });
	return { results: toChoices(classes) };
}
