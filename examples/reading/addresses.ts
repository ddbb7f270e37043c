import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { readText, UnreadableValue } from './text';

/**
 * Reads an email address as the node Class Enrollment does, in lower case, so that it is the same student in all shops. Nothing
 * is an empty text.
 * @throws UnreadableValue for what the node doesn't take as an address
 */
export function readAddress(value: unknown): string {
	const address = readText(value, 'The email address').toLowerCase();
	if (address === '' || isAddress(address)) return address;
	throw new UnreadableValue(
		`"${address}" is not an email address. If it looks right, it may contain an invisible character.`,
	);
}
