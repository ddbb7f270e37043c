import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { toChoices } from '../classes/choices';
import { createPageReader } from '../classes/classPages';
import { readClasses } from '../classes/readClasses';
import { openEditorClient } from '../connection/openClient';

/** Lists all classes for a field that takes several of them. */
export async function getClasses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const readPage = createPageReader(await openEditorClient(this));
	return toChoices((await readClasses(readPage)).classes);
}
