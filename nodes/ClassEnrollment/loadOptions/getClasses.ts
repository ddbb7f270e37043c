import type { ILoadOptionsFunctions, INodePropertyOptions } from 'n8n-workflow';
import { classChoices } from '../shared/classChoices';
import { classPageReader, CLASSES_PER_PAGE } from '../shared/classList';
import { connectEditor } from '../shared/connectEditor';
import { readClasses } from '../shared/paging';

/** Lists all classes for a field that takes several of them. */
export async function getClasses(this: ILoadOptionsFunctions): Promise<INodePropertyOptions[]> {
	const readPage = classPageReader(await connectEditor(this), {});
	const { classes } = await readClasses(readPage, { pageSize: CLASSES_PER_PAGE, limit: Infinity });
	return classChoices(classes);
}
