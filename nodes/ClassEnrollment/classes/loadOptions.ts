import type { ILoadOptionsFunctions } from 'n8n-workflow';
import { readCredential } from '../connection/credential';
import { idOf } from './classPage';
import { readClassList } from './readClassList';
import { readRequestSettings } from '../fields/requestOptions';
import { parseOptionalText } from '../values/text';

// docs/how-it-works.md promises this: the user waits.
const BUDGET_MS = 15_000;
// More than anybody scrolls through; the user finds the others by their names (docs/reference.md).
const MAX_CHOICES = 1000;

/** Lists the classes whose names contain what the user typed, as the service compares it; throws ServiceError. */
export async function searchClasses(this: ILoadOptionsFunctions, filter?: string) {
	return { results: await readChoices(this, parseOptionalText(filter, 'Search'), MAX_CHOICES) };
}

/** Lists all classes for a field that takes several of them. */
export async function getClasses(this: ILoadOptionsFunctions) {
	return await readChoices(this);
}

async function readChoices(context: ILoadOptionsFunctions, nameFilter?: string, limit?: number) {
	const settings = readRequestSettings(context.getCurrentNodeParameter('requestOptions'));
	const access = await readCredential(context);
	const query = { nameFilter, limit };
	const classes = await readClassList(context, access, settings, BUDGET_MS, query);
	// Without an ID, nothing can be chosen.
	return classes.flatMap((entry) => {
		const value = idOf(entry);
		return value === undefined ? [] : [{ name: String(entry.name), value }];
	});
}
