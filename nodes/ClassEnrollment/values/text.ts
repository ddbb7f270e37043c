import { InvalidValueError, quote } from './invalidValue';

/** Whether a value counts as "not filled in": an empty field, an empty cell, or an expression without a result. */
export function isBlank(value: unknown): boolean {
	const text = value ?? '';
	return typeof text === 'string' && text.trim() === '';
}

/** Returns a text, or a number as text, trimmed; empty for anything else. */
export function textOf(value: unknown): string {
	return typeof value === 'string' || Number.isFinite(value) ? String(value).trim() : '';
}

/** Returns a text, trimmed, undefined if there is none; throws InvalidValueError if it is neither text nor number. */
export function parseOptionalText(value: unknown, source: string): string | undefined {
	const text = textOf(value);
	if (text !== '' || isBlank(value)) return text || undefined;
	const problem = `must be text, but is ${quote(value)}`;
	throw new InvalidValueError(source, problem, 'Provide one text value.');
}
