/** What the shop sends. */
export interface Payment {
	paymentId: string | number;
	status?: string;
	buyer?: { name?: string; email: string };
	products?: string[] | string;
}

/** What the shop sends when it has given the money back. */
export interface Refund {
	paymentId?: string | number;
	status?: string;
}

/** What the workflow responds. */
export interface Answer {
	status: number;
	/** Parsed if it is JSON, otherwise text. */
	body: unknown;
}

/** The header that authenticates the shop. */
export const SECRET = { name: 'X-Shop-Secret', value: 'shop-secret' };

export interface CallOptions {
	secret?: string;
	/** The path of the webhook. */
	path?: string;
}

/** Sends a payment to the workflow, as a shop does. */
export async function pay(
	n8nUrl: string,
	payment: Payment,
	{ secret, path = 'class-enrollment-payment' }: CallOptions = {},
): Promise<Answer> {
	return await call(`${n8nUrl}/webhook/${path}`, payment, secret);
}

/** Sends a refund to the workflow, as a shop does. */
export async function giveBack(
	n8nUrl: string,
	refund: Refund,
	{ secret, path = 'class-enrollment-refund' }: CallOptions = {},
): Promise<Answer> {
	return await call(`${n8nUrl}/webhook/${path}`, refund, secret);
}

async function call(url: string, body: object, secret = SECRET.value): Promise<Answer> {
	const response = await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [SECRET.name]: secret },
		body: JSON.stringify(body),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
