import type { IDataObject } from 'n8n-workflow';
import { isBlank } from '../values/text';
import { idOf } from './idOf';

/** Classes as the editor's lists show them: one without a name by its ID; one without an ID cannot be chosen. */
export function toChoices(classes: IDataObject[]): Array<{ name: string; value: string }> {
	return classes.flatMap((entry) => {
		const id = idOf(entry);
		if (isBlank(id)) return [];
		const { name } = entry;
		return { name: typeof name === 'string' && !isBlank(name) ? name : id!, value: id! };
	});
}
