import type { IDataObject } from 'n8n-workflow';
import { isBlank } from '../values/text';

/** Classes as the editor's lists show them: one without a name by its ID; one without an ID cannot be chosen. */
export function toChoices(classes: IDataObject[]): Array<{ name: string; value: string }> {
	return classes
		.filter(({ id }) => !isBlank(id))
		.map(({ id, name }) => ({
			name: typeof name === 'string' && !isBlank(name) ? name : String(id),
			value: String(id),
		}));
}
