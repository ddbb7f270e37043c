import type { IDataObject } from 'n8n-workflow';
import { isBlank } from '../values/text';

/** The ID of a class as text; undefined if it has none. */
export function idOf({ id }: IDataObject): string | undefined {
	return typeof id === 'string' || typeof id === 'number' ? String(id) : undefined;
}

/** Options for the editor's class lists. A class without a name is shown by its ID; one without an ID is left out. */
export function toChoices(classes: IDataObject[]): Array<{ name: string; value: string }> {
	return classes.flatMap((entry) => {
		const id = idOf(entry);
		if (isBlank(id)) return [];
		const { name } = entry;
		return { name: typeof name === 'string' && !isBlank(name) ? name : id!, value: id! };
	});
}
