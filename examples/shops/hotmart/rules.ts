import { differs, isOneOf, type Rules } from '../rules';

/** What the rules read of a notification (developers.hotmart.com, webhook 2.0.0). */
interface HotmartNotification {
	event?: unknown;
	data?: {
		purchase?: { status?: unknown } | null;
		product?: { id?: unknown } | null;
	} | null;
}

/** The events of what is paid, and the statuses of it. */
const PAYS: unknown[] = ['PURCHASE_APPROVED', 'PURCHASE_COMPLETE'];
const PAID = 'APPROVED, COMPLETE, COMPLETED';

/** Says what a notification of Hotmart means. Its event and its status may differ. */
export function rulesOf({ event, data }: HotmartNotification): Rules {
	const { purchase, product } = data ?? {};
	const problem = differs(event, purchase?.status, 'Hotmart');
	if (!PAYS.includes(event) && isOneOf(purchase?.status, PAID)) return { problem };
	if (String(product?.id) === '0') return { nothing: 'the test about product 0' };
	// A purchase that is approved may still be said to be pending.
	return PAYS.includes(event) && purchase ? { warning: problem } : {};
}
