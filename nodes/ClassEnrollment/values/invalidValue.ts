import isPlainObject from 'lodash/isPlainObject';
import { UserError } from 'n8n-workflow';

const MAX_QUOTE_LENGTH = 80;

/** Where a value comes from: the display name of a parameter, or a field of the input. */
export type ValueSource = string | SourceField;

/** A field of the input items. */
export interface SourceField {
	name: string;
	/** How expressions refer to it, such as `$json.email`. */
	expression: string;
}

/** A value that must not be sent. The message names the parameter as the editor shows it, or the field. */
export class InvalidValueError extends UserError {
	/**
	 * @param problem what is wrong, continuing the sentence "'Email' …"
	 * @param advice what the user can do about it
	 */
	constructor(source: ValueSource, problem: string, advice: string) {
		const subject = typeof source === 'string' ? `'${source}'` : `The field '${source.name}'`;
		super(`${subject} ${problem}`, { description: advice });
	}
}

/** "Is not", said of a field: it contains its value. */
export function isNot(source: ValueSource): string {
	return typeof source === 'string' ? 'is not' : 'does not contain';
}

/** Quotes a value in a message, shortened. */
export function quote(value: unknown): string {
	const text = Array.isArray(value) || isPlainObject(value) ? JSON.stringify(value) : String(value);
	return text.length > MAX_QUOTE_LENGTH ? `"${text.slice(0, MAX_QUOTE_LENGTH)}…"` : `"${text}"`;
}
