import { splitList } from './lists';
import { withoutInvisible } from './text';

/**
 * A word as it is compared: upper and lower case count alike, and so do blanks, `_`, and `-` between letters or digits.
 * Everything else makes another word, also in other scripts: letters with and without marks, digits, punctuation, `-1` and `1`.
 */
export const plainWord = (word: string): string =>
	withoutInvisible(word.normalize('NFC'))
		.trim()
		.toLowerCase()
		.replace(/\s+/g, ' ')
		.replace(/(?<=[\p{L}\p{M}\p{N}])[_-](?=[\p{L}\p{N}])/gu, ' ');

/** Whether a word is on a list of words with commas. An empty word is on none. */
export function isOnList(word: string, list: string): boolean {
	const plain = plainWord(word);
	return plain !== '' && splitList(list).map(plainWord).includes(plain);
}
