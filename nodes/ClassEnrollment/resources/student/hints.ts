import type { Hint } from '../../operation/operation';

/** Says for how many students access has already ended. */
export const accessHint: Hint = (output) => {
	const ends = output.map(({ json }) => json.success === true && json.expirationDate);
	const ended = ends.filter((end) => end && Date.parse(end as string) <= Date.now()).length;
	if (ended === 0) return undefined;
	const students = ended === 1 ? '1 student' : `${ended} students`;
	return `Access has already ended for ${students}: the expiration date is in the past.`;
};
