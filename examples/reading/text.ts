/** Says what is wrong with a value, so that its message can be shown: "until is a list, not a date." */
export class UnreadableValue extends Error {}

/** What a reader returns, or undefined if it can't read the value. */
export function ifReadable<T>(read: () => T): T | undefined {
	try {
		return read();
	} catch (error) {
		if (error instanceof UnreadableValue) return undefined;
		throw error;
	}
}

/**
 * Reads a text, or a number as text: without blanks around it, and with each accented letter as one character (NFC).
 * Nothing (null, undefined) is an empty text.
 * @param name what the value is, for the message
 * @throws UnreadableValue for a list, an object, true or false, and a number so large that JSON has rounded it
 */
export function readText(value: unknown, name: string): string {
	if (value === null || value === undefined) return '';
	if (typeof value === 'string') return value.normalize('NFC').trim();
	if (typeof value !== 'number')
		throw new UnreadableValue(`${name} is ${kindOf(value)}, not a text.`);
	if (isRounded(value))
		throw new UnreadableValue(
			`${name} is the number ${value}, which is too large to be exact. It must be sent as a text.`,
		);
	return String(value);
}

/** Whether a number may have been another one in JSON: whole numbers are only exact up to 2^53. */
export const isRounded = (number: number): boolean =>
	!Number.isFinite(number) || (Number.isInteger(number) && !Number.isSafeInteger(number));

function kindOf(value: unknown): string {
	if (Array.isArray(value)) return 'a list';
	return typeof value === 'object' ? 'an object' : String(value);
}

/** A text without the characters that nobody sees, such as a zero-width space from a web page, or what colors an emoji. */
export const withoutInvisible = (text: string): string => text.replace(/\p{DI}/gu, '');
