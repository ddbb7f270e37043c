import type { Hint } from '../../operation/operation';
import { findOtherDate } from './otherDate';

// The README promises this.
const MAX_ITEMS_SEARCHED = 100;

/** Says for how many students access has already ended, or that it never ends although one of the first items says when. */
export const accessHint: Hint = (output, items) => {
	const added = output.filter(({ json }) => json.success === true);
	const dates = added.map(({ json }) => json.expirationDate as string | undefined);
	const ended = dates.filter((date) => date && Date.parse(date) <= Date.now()).length;
	if (ended > 0) {
		const students = ended === 1 ? '1 student' : `${ended} students`;
		return `Access has already ended for ${students}: the expiration date is in the past.`;
	}
	if (dates.length === 0 || dates.some(Boolean)) return undefined;
	const [field] = items
		.slice(0, MAX_ITEMS_SEARCHED)
		.flatMap(({ json }) => findOtherDate(json) ?? []);
	return field && `Access never ends. To use the date in '${field}', change Access Expiration.`;
};
