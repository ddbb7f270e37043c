import { splitList } from './lists';
import { readText, withoutInvisible } from './text';

/** A code as it is compared: upper and lower case count alike, and a run of blanks is one blank. Everything else counts. */
export const plainCode = (code: string): string =>
	withoutInvisible(code.normalize('NFC')).trim().toLowerCase().replace(/\s+/g, ' ');

/** Whether a cell names a code: as a whole, since a code may have commas, or as one of several. An empty code is in none. */
export function hasCode(cell: string, code: string): boolean {
	const plain = plainCode(code);
	if (plain === '') return false;
	return plainCode(cell) === plain || splitList(cell).map(plainCode).includes(plain);
}

/**
 * Reads the codes of a shop's products: one, or a list, which is neither divided nor joined. What has no code is an empty text,
 * so that it isn't forgotten.
 * @throws UnreadableValue for a code that is a list or an object, or too large a number
 */
export function readCodes(products: unknown): string[] {
	const list: unknown[] = Array.isArray(products) ? products : [products];
	return list.map((code) => readText(code, "A product's code"));
}
