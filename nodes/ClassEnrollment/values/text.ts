import { uniq } from 'lodash';
import { InvalidValueError, quote } from './invalidValue';

// A cell of a file may have tabs and line breaks.
const CONTROL = /[^\P{Cc}\t\n\r]/u;
// A blank of the keyboard is none.
const INVISIBLE = /(?! )[\p{C}\p{Z}\p{DI}]/gu;
// What JavaScript makes of an object in a text.
const OBJECT = /\[object \w+\]/;

/** Returns the number of a character, such as U+200B for an invisible one. */
const codePointOf = (character: string) =>
	`U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;

/** Advises to type a text again that contains an invisible character; empty for any other. */
export function retypeAdvice(text: string): string {
	const invisible = uniq(text.match(INVISIBLE)).map(codePointOf).join(', ');
	return invisible && ` Retype it: it contains an invisible character (${invisible}).`;
}

/** Returns a text as it looks: without invisible characters, and with plain blanks. */
export function asItLooks(text: string): string {
	return text
		.replace(/[\p{C}\p{DI}]/gu, '')
		.replace(/\p{Z}/gu, ' ')
		.trim();
}

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
export function parseOptionalText(value: unknown, label: string): string | undefined {
	const text = textOf(value);
	const control = CONTROL.exec(text)?.[0];
	if (control !== undefined) {
		const problem = `contains the control character ${codePointOf(control)}`;
		throw new InvalidValueError(label, problem, 'Delete the text, and type it again.');
	}
	if (isBlank(value)) return undefined;
	if (text !== '' && !OBJECT.test(text)) return text;
	const problem = `must be text, but is ${quote(value)}`;
	throw new InvalidValueError(label, problem, 'Provide one text value.');
}
