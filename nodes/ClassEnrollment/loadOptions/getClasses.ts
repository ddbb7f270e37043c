import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { toChoices } from '../classes/choices';
import { CLASSES_PER_PAGE, createPageReader } from '../classes/classPages';
import { readClasses } from '../classes/readClasses';
import { openClientWithoutItems } from '../fields/client';

/** Lists all classes for a field that takes several of them. */
export async function getClasses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const send = await openClientWithoutItems(this, this.getCurrentNodeParameter('requestOptions'));
	const readPage = createPageReader(send, {});
	const { classes } = await readClasses(readPage, { pageSize: CLASSES_PER_PAGE, limit: Infinity });
	return toChoices(classes);
}
