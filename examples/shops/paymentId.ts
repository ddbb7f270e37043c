import { withoutInvisible } from '../reading/text';
import { textOf } from './fields';
import type { NotificationFields } from './notification';

/** What a program makes of nothing, or a placeholder that it didn't fill in: all buyers would have the same payment. */
const NO_ID = /^(-*|null|undefined|none|nil|n\/?a|nan|true|false|0+|array|[{[<%$]\D*[}\]>%])$/i;

/**
 * The number of a payment, as `class_sales` has it: with the name of its shop where another one could use the same number. Empty
 * if there is none.
 * @throws UnreadableValue for what is no text
 */
export function paymentIdOf(fields: NotificationFields): string {
	const number = withoutInvisible(textOf(fields.paymentId, 'The payment ID')).trim();
	if (NO_ID.test(number)) return '';
	const shop = textOf(fields.numbersOf, 'numbersOf');
	return shop ? `${shop} ${number}` : number;
}
