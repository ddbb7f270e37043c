import { DateTime } from 'luxon';
import type { ValueSource } from './invalidValue';

/** Earlier years are typos (docs/dates.md). */
export const MIN_YEAR = 1900;

const AS_SHOWN =
	/^(\d{1,2}[/.-]\d{1,2}[/.-]\d{4}|\d{4}[/.-]\d{1,2}[/.-]\d{1,2})(,? \d{1,2}:\d{2}(:\d{2})?)?$/;
// Days since 1899-12-30; these are from 1927 to 2173.
const AS_STORED = /^[1-9]\d{4}(\.\d+)?$/;

/** Finds the formats of Luxon in which a text is a date. If there are two, the day comes first in the first one. */
export function formatsOf(text: string): string[] {
	if (!AS_SHOWN.test(text)) return [];
	return ['dMyHms', 'MdyHms', 'yMdHms']
		.map((order) => {
			let part = 0;
			return text.replace(/\d+/g, ({ length }) => order[part++]!.repeat(length));
		})
		.filter((format) => DateTime.fromFormat(text, format).year >= MIN_YEAR);
}

/** Says what to use in place of a text that is not a date in ISO 8601: an expression that converts it, if one fits. */
export function adviceFor(text: string, source: ValueSource): string {
	const isParameter = typeof source === 'string';
	const field = isParameter ? '$json.date' : source.expression;
	const how = isParameter
		? 'Convert it with an expression'
		: 'Convert it before this node, for example in Edit Fields';
	const [format, other] = formatsOf(text);
	if (format !== undefined) {
		const orElse = other === undefined ? '' : `, or with '${other}' if the month comes first`;
		return `${how}: {{ DateTime.fromFormat(${field}, '${format}') }}${orElse}.`;
	}
	return AS_STORED.test(text)
		? `${how}: {{ DateTime.fromISO('1899-12-30').plus({ days: ${field} }) }}.`
		: 'Use a date such as 2027-01-31 or 2027-01-31T12:00:00Z.';
}
