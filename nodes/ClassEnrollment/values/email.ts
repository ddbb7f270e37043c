import { isAddress } from './address';
import { InvalidValueError, quote } from './invalidValue';
import { isBlank, retypeAdvice } from './text';

/** Returns the address of a student, trimmed; throws InvalidValueError if it is missing or not like one address. */
export function parseEmail(value: unknown, label: string): string {
	if (isBlank(value)) {
		const advice = "Enter the student's email address, or check the expression.";
		throw new InvalidValueError(label, 'is empty', advice);
	}
	const email = typeof value === 'string' ? value.trim() : '';
	if (isAddress(email)) return email;
	const advice = `Enter one plain address such as student@example.com.${retypeAdvice(email)}`;
	throw new InvalidValueError(label, `is not an email address: ${quote(value)}`, advice);
}
