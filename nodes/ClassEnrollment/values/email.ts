import { InvalidValueError, isNot, quote, type ValueSource } from './invalidValue';
import { isBlank } from './text';

const MAX_LENGTH = 254;
// A quote is part of some addresses (o'brien@example.com), but one at the beginning is around the address.
// A domain may have letters of any script, some of which are combined with marks.
const ADDRESS = /^(?!['`])[^\s@<>(),;:"[\]\\{}]+@[\p{L}\p{M}\p{Nd}-]+(\.[\p{L}\p{M}\p{Nd}-]+)+$/u;
// Such characters come along when an address is copied from a web page; to the service it would be another student.
const INVISIBLE_CHARACTER = /\p{C}/u;

/** Returns the address of a student, trimmed; throws InvalidValueError if it is missing or not like one address. */
export function parseEmail(value: unknown, source: ValueSource): string {
	if (isBlank(value)) {
		const advice = "Enter the student's email address, or check the expression.";
		throw new InvalidValueError(source, 'is empty', advice);
	}
	const email = typeof value === 'string' ? value.trim() : '';
	if (INVISIBLE_CHARACTER.test(email)) {
		throw new InvalidValueError(
			source,
			`contains an invisible character: ${quote(email.replace(/\p{C}/gu, '�'))}`,
			'Retype the address instead of pasting it.',
		);
	}
	if (email.length > MAX_LENGTH || !ADDRESS.test(email)) {
		const problem = `${isNot(source)} an email address: ${quote(value)}`;
		const advice = 'Enter one plain address such as student@example.com.';
		throw new InvalidValueError(source, problem, advice);
	}
	return email;
}
