import { InvalidValueError, quote } from './invalidValue';
import { invisibleIn, isBlank } from './text';

const MAX_LENGTH = 254;
// A quote is part of some addresses (o'brien@example.com), but one at the beginning is around the address. A domain may
// have letters of any script, some of which are combined with marks. An invisible character, as from a web page, would make
// it another student.
const ADDRESS =
	/^(?!['`])[^\s\p{C}@<>(),;:"[\]\\{}]+@[\p{L}\p{M}\p{Nd}-]+(\.[\p{L}\p{M}\p{Nd}-]+)+$/u;

/** Returns the address of a student, trimmed; throws InvalidValueError if it is missing or not like one address. */
export function parseEmail(value: unknown, source: string): string {
	if (isBlank(value)) {
		const advice = "Enter the student's email address, or check the expression.";
		throw new InvalidValueError(source, 'is empty', advice);
	}
	const email = typeof value === 'string' ? value.trim() : '';
	if (email.length <= MAX_LENGTH && ADDRESS.test(email)) return email;
	const invisible = invisibleIn(email);
	const retype = ` Retype it: it contains an invisible character (${invisible.join(', ')}).`;
	const advice = `Enter one plain address such as student@example.com.${invisible.length > 0 ? retype : ''}`;
	throw new InvalidValueError(source, `is not an email address: ${quote(value)}`, advice);
}
