import { readLastDay } from '../reading/dates';
import { ifReadable, UnreadableValue } from '../reading/text';

/** The choices of the form for dates, as luxon writes them. ISO 8601 is read, too: nobody can mistake it. */
export const DATE_FORMS: Record<string, string> = {
	'2027-12-31 (year, month, day)': 'yyyy/M/d',
	'31/12/2027 (day, month, year)': 'd/M/yyyy',
	'12/31/2027 (month, day, year)': 'M/d/yyyy',
};
const DEFAULT = Object.keys(DATE_FORMS)[0]!;
const SWAPPED: Record<string, string> = { 'd/M/yyyy': 'M/d/yyyy', 'M/d/yyyy': 'd/M/yyyy' };
const ISO_DAY = /^\d{4}-\d{2}-\d{2}/;
// With a time, it has a fraction.
const SERIAL_NUMBER = /^\d{5}([.,]\d+)?$/;
// As in 31.12.2027 or 31-12-2027.
const SEPARATORS = /^(\d+)([.-])(\d+)\2(?=\d)/;

/** What a row of the file says of the end of access. */
interface DateCell {
	line: number;
	cell: string;
}

/**
 * Returns a function that reads a cell: the last moment of access in ISO 8601, or an empty text if access never ends. It throws
 * UnreadableValue for what is no real date. So it does for a date that may be another day, if the file has one that is
 * only real with day and month the other way around, and for an end that is over: it may replace a later one.
 * @param choice one of `DATE_FORMS`
 * @param cells all of the file; it reads no others
 * @param now milliseconds since 1970
 */
export function createEndReader(
	choice: string | null | undefined,
	cells: DateCell[],
	now: number,
): (cell: string) => string {
	const chosen = choice ?? DEFAULT;
	const form = DATE_FORMS[chosen] ?? '';
	const swapped = SWAPPED[form] ?? form;
	// Many students have the same date.
	const texts = new Set(cells.map(({ cell }) => cell));
	const ends = new Map([...texts].map((cell) => [cell, endIn(cell, form)]));
	const swappedEnds =
		swapped === form ? ends : new Map([...texts].map((cell) => [cell, endIn(cell, swapped)]));
	const other = cells.find(
		({ cell }) => ends.get(cell) === undefined && swappedEnds.get(cell) !== undefined,
	);
	return (cell) => {
		const end = ends.get(cell);
		if (SERIAL_NUMBER.test(cell))
			throw new UnreadableValue(
				`"${cell}" is the number of a day in a spreadsheet. Format the column as dates there, and save the file again.`,
			);
		if (end === undefined)
			throw new UnreadableValue(
				`"${cell}" is no real date in the form ${chosen.split(' ')[0]}. Correct it, or choose another form under "Dates".`,
			);
		if (other && ![end, undefined].includes(swappedEnds.get(cell)))
			throw new UnreadableValue(
				`"${cell}" may be another day, since line ${other.line} has "${other.cell}". Correct one of them, or choose another form under "Dates".`,
			);
		if (end !== '' && Date.parse(end) <= now)
			throw new UnreadableValue(`"${cell}" is over. Correct it, or delete the row.`);
		return end;
	};
}

function endIn(cell: string, form: string): string | undefined {
	const text = ISO_DAY.test(cell) ? cell : cell.replace(SEPARATORS, '$1/$3/');
	return ifReadable(() => {
		const end = readLastDay(text, 'The date', form);
		// The node takes a day without a time from its start.
		return end ? new Date(end.time).toISOString() : '';
	});
}
