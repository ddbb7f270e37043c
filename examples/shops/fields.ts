import type { Json } from '../codeNodes/n8n';
import { isRounded, readText, UnreadableValue } from '../reading/text';

export const isObject = (value: unknown): value is Json =>
	typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Reads a field as a text. n8n has made a text of an object or a list, too, which is none.
 * @param name what the field is, for the message
 * @throws UnreadableValue for what is no text
 */
export function textOf(field: unknown, name: string): string {
	const text = typeof field === 'object' ? JSON.stringify(field ?? '') : readText(field, name);
	const json = /^[[{]/.test(text) ? parsed(text) : undefined;
	if (typeof json !== 'object') return readText(field, name);
	const kind = Array.isArray(json) ? 'a list' : 'an object';
	throw new UnreadableValue(
		`${name} is ${kind}, not a text. Drag one of its fields into What the Shop Sends, publish, and retry.`,
	);
}

/** Says that a field has nothing, and where its expression is. */
export const missing = (what: string, field: string): string =>
	`${what} is missing. Check ${field} in What the Shop Sends, publish, and retry.`;

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}

/**
 * Fails if a text is a number of the notification that JSON has rounded: two payments or products would become the same. What
 * n8n has made a text of no longer shows that it was a number.
 * @throws UnreadableValue
 */
export function failIfRounded(text: string, name: string, body: unknown): void {
	if (roundedIn(body).includes(text))
		throw new UnreadableValue(
			`${name} is the number ${text}, which is too large to be exact. It must be sent as a text.`,
		);
}

function roundedIn(value: unknown): string[] {
	if (typeof value === 'number') return isRounded(value) ? [String(value)] : [];
	return typeof value === 'object' && value !== null ? Object.values(value).flatMap(roundedIn) : [];
}
