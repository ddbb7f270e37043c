import { isPlainObject } from 'lodash';
import { UserError } from 'n8n-workflow';

const MAX_QUOTE_LENGTH = 80;

/** A value that must not be sent. The message names the parameter as the editor shows it. */
export class InvalidValueError extends UserError {
	/**
	 * @param label the display name of the parameter; with a field of the input or of a list, "Email Field: mail"
	 * @param problem what is wrong, continuing the sentence "'Email' …"
	 * @param advice what the user can do about it
	 */
	constructor(label: string, problem: string, advice: string) {
		super(`'${label}' ${problem}`, { description: advice });
	}
}

/** Quotes a value in a message, shortened. */
export function quote(value: unknown): string {
	const text = Array.isArray(value) || isPlainObject(value) ? JSON.stringify(value) : String(value);
	return text.length > MAX_QUOTE_LENGTH ? `"${text.slice(0, MAX_QUOTE_LENGTH)}…"` : `"${text}"`;
}
