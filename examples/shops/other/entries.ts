// What a notification of another shop says: names and values.
import type { Json } from '../../codeNodes/n8n';
import { isObject } from '../fields';

/** A field: its name, and its value. */
export type Entry = [name: string, value: unknown];

/** The name of what tells an event, or of what it is about. */
export const EVENT =
	/^((webhook_?)?event([_-]?(type|name|code|topic|label))?|evento|((transaction|resource|notification|callback|message|operation|webhook)_?)?type|tipo|(resource|alert)_?name|topic|action|operation|kind|object|resource)$/i;
/** What the rest of a notification may be in, or what it tells of. */
const WRAPPER =
	/^(data|payload|body|content|event|notification|object|resource|attributes|order|sale|purchase|payment|transaction|charge|invoice|bill|pedido|venda|compra|pagamento|transacao)$/i;

/** What a notification says, also within what it is wrapped in. */
export const entriesOf = (sent: Json): Entry[] =>
	Object.entries(sent).flatMap(([name, value]): Entry[] =>
		isObject(value) && WRAPPER.test(name) ? [[name, value], ...entriesOf(value)] : [[name, value]],
	);

/** The first field that says so anywhere, also in a list, but not within what has one of the names `except`. */
export function findAnywhere(
	sent: object,
	says: (entry: Entry) => boolean,
	except?: RegExp,
): Entry | undefined {
	for (const entry of Object.entries(sent) as Entry[]) {
		const [name, value] = entry;
		if (says(entry)) return entry;
		const isSearched = typeof value === 'object' && value !== null && !except?.test(name);
		const found = isSearched ? findAnywhere(value, says, except) : undefined;
		if (found) return found;
	}
	return undefined;
}

/** Whether a field says so anywhere, also in a list. */
export const saysAnywhere = (sent: object, says: (entry: Entry) => boolean): boolean =>
	findAnywhere(sent, says) !== undefined;

/** A value as text; empty for a list or an object. */
export const flagOf = (value: unknown) => (typeof value === 'object' ? '' : String(value));

/** Python writes True and False, a database 1 and 0. But a 0 may be an amount, of a coupon of a hundred per cent. */
export const isYes = (value: unknown) => /^(true|yes|1)$/i.test(flagOf(value));

/** Whether it is a no, or the 0 of a field that begins with `is`. */
export const isNo = (name: string, value: unknown) =>
	/^(false|no)$/i.test(flagOf(value)) || (/^is/i.test(name) && flagOf(value) === '0');
