import { splitList } from './lists';
import { withoutInvisible } from './text';

/**
 * A word as it is compared: upper and lower case count alike, and blanks, `_`, and `-` between letters don't count
 * (`chargeback`, `Charge-Back`). Everything else makes another word, in every script: a letter, its accent, a digit, a sign.
 */
export const plainWord = (word: string): string =>
	withoutInvisible(word.normalize('NFC'))
		.trim()
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.replace(/(?<=[\p{L}\p{M}])[ _-](?=\p{L})/gu, '');

/** Whether a word is on a list of words with commas. An empty word is on none. */
export function isOnList(word: string, list: string): boolean {
	const plain = plainWord(word);
	return plain !== '' && splitList(list).map(plainWord).includes(plain);
}
