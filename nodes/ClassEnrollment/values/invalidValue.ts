import { UserError } from 'n8n-workflow';

const LONGEST_QUOTE = 80;

/** A value that must not be sent. The message names the parameter as the editor shows it. */
export class InvalidValueError extends UserError {
	/**
	 * @param parameter display name of the parameter
	 * @param problem what is wrong, continuing the sentence "'Email' …"
	 * @param advice what the user can do about it
	 */
	constructor(parameter: string, problem: string, advice: string) {
		super(`'${parameter}' ${problem}`, { description: advice });
	}
}

/** Quotes a value in a message, shortened. */
export function quote(value: unknown): string {
	const isPlain = Array.isArray(value) || Object.getPrototypeOf(value ?? 0) === Object.prototype;
	const text = isPlain ? JSON.stringify(value) : String(value);
	return text.length > LONGEST_QUOTE ? `"${text.slice(0, LONGEST_QUOTE)}…"` : `"${text}"`;
}
