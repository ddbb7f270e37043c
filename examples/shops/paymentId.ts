import { ifReadable, withoutInvisible } from '../reading/text';
import { textOf } from './fields';
import type { NotificationFields } from './notification';
import { isSubscription } from './subscription';

/** What a program makes of nothing, or a placeholder that it didn't fill in: all buyers would have the same payment. */
const NO_ID =
	/^([0-]*|\(?null\)?|undefined|none|nil|n\/?a|nan|true|false|array|[{[<%$]\D*[}\]>%])$/i;

/**
 * The number of a payment, as `class_sales` has it: with the name of its shop where another one could use the same number. Empty
 * if there is none.
 * @throws UnreadableValue for what is no text
 */
export function paymentIdOf(fields: NotificationFields): string {
	const number = numberOf(fields);
	const shop = textOf(fields.numbersOf, 'numbersOf');
	return number && shop ? `${shop} ${number}` : number;
}

/**
 * The number of a payment as the shop has it: the one that it shares with the other instalments of its sale, if it is one.
 * @throws UnreadableValue for what is no text
 */
export const numberOf = (fields: NotificationFields): string =>
	commonNumber(fields) || readNumber(fields.paymentId);

/**
 * Whether it is an instalment after the first one, and nothing connects them. The first has given everything.
 * @throws UnreadableValue for what is no text
 */
export const isLaterInstalment = (fields: NotificationFields): boolean =>
	Number(fields.instalment) > 1 && !isSubscription(fields) && commonNumber(fields) === '';

const commonNumber = (fields: NotificationFields): string =>
	isSubscription(fields) ? '' : readNumber(fields.instalmentsOf);

function readNumber(field: unknown): string {
	const number = withoutInvisible(textOf(field, 'The payment ID')).trim();
	return NO_ID.test(number) ? '' : number;
}

/** Names a payment by its number and its buyer, as far as they can be read. */
export function nameOf(fields: NotificationFields): string {
	const paymentId = ifReadable(() => paymentIdOf(fields)) ?? '';
	const email = ifReadable(() => textOf(fields.email, '')) ?? '';
	if (!paymentId && !email) return "A notification that can't be read";
	return [paymentId ? `Payment ${paymentId}` : 'A payment', email && `of ${email}`]
		.filter(Boolean)
		.join(' ');
}
