import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import escapeRegExp from 'lodash/escapeRegExp';

const FOLDER = join(__dirname, '../../examples/shops/notifications');
export const SECRET = 'secretOfTheShop';
/** How a form is sent. All its fields are texts. */
const FORM = 'application/x-www-form-urlencoded';

/** What a shop sends, with invented values. */
export interface Content {
	headers?: Record<string, string>;
	query?: Record<string, string>;
	/** What is sent as JSON, or as a form if that is its `content-type`. `SECRET` stands for the secret in it. */
	body?: unknown;
	/** What is sent as it is, if it is neither JSON nor a form. */
	text?: string;
	/** What of it alone is signed, if not all. Its signature stands in place of `SIGNATURE` in the body, too. */
	signed?: 'order';
	/** How it is proved instead: by another secret or address, or not at all. */
	proof?: 'wrong' | 'none';
}

/**
 * A notification of a shop, and what becomes of it: a `sale`, or a `result` and a `reason`. Tests in n8n need the buyer
 * ana@example.com, and a product of `PRODUCTS` in `test/e2e/shop.ts`.
 */
export interface Notification extends Content {
	name: string;
	expect: {
		result?: 'ignored' | 'failed';
		sale?: { paymentId: string; kind: 'paid' | 'refunded' } & Record<string, unknown>;
		/** A part of what it says. */
		reason?: string;
		/** Why Class access can't carry the sale through. */
		fails?: string;
	};
}

/** A notification as n8n receives it. */
export interface Sent {
	headers: Record<string, string>;
	query: Record<string, string>;
	text: string;
	body: unknown;
}

type Prove = (text: string, secret: string) => Partial<Sent>;

const hmac = (type: string, encoding: 'hex' | 'base64', text: string, secret: string) =>
	createHmac(type, secret).update(text).digest(encoding);

/** Signs with SHA-256 in a header. */
const inHeader =
	(header: string, encoding: 'hex' | 'base64'): Prove =>
	(text, secret) => ({ headers: { [header]: hmac('sha256', encoding, text, secret) } });

/** How shops prove by a signature that a notification is their own, as their documentation says. */
const PROOFS: Record<string, Prove> = {
	eduzz: inHeader('x-signature', 'hex'),
	kiwify: (text, secret) => ({ query: { signature: hmac('sha1', 'hex', text, secret) } }),
	lemonsqueezy: inHeader('x-signature', 'hex'),
	shopify: inHeader('x-shopify-hmac-sha256', 'base64'),
	stripe: (text, secret) => {
		const signature = hmac('sha256', 'hex', `1767225600.${text}`, secret);
		const header = `t=1767225600,v1=${signature},v0=${'0'.repeat(64)}`;
		return { headers: { 'stripe-signature': header } };
	},
	woocommerce: inHeader('x-wc-webhook-signature', 'base64'),
};

/** Proves a notification. A secret in a header or an address is compared by n8n itself. */
const prove = (shop: string, text: string, secret: string): Partial<Sent> =>
	PROOFS[shop]?.(text, secret) ?? {};

/** The notifications of each shop, by the name of their file. */
export const NOTIFICATIONS = Object.fromEntries(
	readdirSync(FOLDER).map((file) => [
		file.replace('.json', ''),
		JSON.parse(readFileSync(join(FOLDER, file), 'utf8')) as Notification[],
	]),
);

/** The first notification of a shop of this kind, about another payment of another buyer. */
export function aboutAnother(
	shop: string,
	kind: 'paid' | 'refunded',
	number: number,
): Notification {
	const found = NOTIFICATIONS[shop]!.find(({ expect: { sale } }) => sale?.kind === kind);
	if (!found) throw new Error(`No notification of ${shop} expects a sale that is ${kind}`);
	// Without the name of the shop, which may stand before it.
	const paymentId = escapeRegExp(found.expect.sale!.paymentId.split(' ').at(-1));
	const text = JSON.stringify(found.body)
		.replace(/ana@example\.com/gi, `ana-${number}@example.com`)
		.replace(new RegExp(`(?<=:"?)${paymentId}(?="?[,}])`, 'g'), `$&${number}`);
	return { ...found, body: JSON.parse(text) as unknown };
}

/** The same notification about a buyer of its own for each payment, so that none depends on what others have bought. */
export function ofOwnBuyer(shop: string, notification: Notification): Notification {
	const { paymentId } = notification.expect.sale!;
	const buyer = `ana-${shop}-${paymentId.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@example.com`;
	const text = JSON.stringify(notification.body).replace(/ana@example\.com/gi, buyer);
	return { ...notification, body: JSON.parse(text) as unknown };
}

/** A notification as the shop sends it. */
export function sent(shop: string, notification: Content): Sent {
	const { body, text, headers, query, signed, proof } = notification;
	const secret = proof === 'wrong' ? 'another' : SECRET;
	const own = signed ? JSON.stringify((body as Record<string, unknown>)[signed]) : undefined;
	const isForm = headers?.['content-type'] === FORM;
	const written = isForm
		? new URLSearchParams(body as Record<string, string>).toString()
		: JSON.stringify(body);
	const content = (text ?? written)
		.replaceAll('SECRET', proof === 'none' ? '' : secret)
		.replace('SIGNATURE', own ? hmac('sha1', 'hex', own, secret) : '');
	const type = text === undefined ? 'application/json; charset=utf-8' : 'text/plain';
	const proved = proof === 'none' ? {} : prove(shop, own ?? content, secret);
	return {
		headers: { 'content-type': type, ...proved.headers, ...headers },
		query: { ...proved.query, ...query },
		text: content,
		body: text === undefined ? read(content, isForm) : content,
	};
}

/** What n8n reads of a form or of JSON. */
const read = (content: string, isForm: boolean): unknown =>
	isForm ? Object.fromEntries(new URLSearchParams(content)) : JSON.parse(content);
