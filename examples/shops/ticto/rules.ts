import { isOneOf, type Rules } from '../rules';

const EXTENDED =
	'The subscription was extended, but the access ends as before. Add a row of kind given to the data table class_sales, with the new end as until.';

/** Says what a notification of Ticto means. */
export function rulesOf({ status }: { status?: unknown }): Rules {
	return isOneOf(status, 'extended') ? { warning: EXTENDED } : {};
}
