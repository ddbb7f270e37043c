/** What the shop sends. */
export interface Payment {
	paymentId: string | number;
	status?: string;
	buyer?: { name?: string; email: string };
	classIds: string[];
}

/** What the workflow responds. */
export interface Answer {
	status: number;
	/** Parsed if it is JSON, otherwise text. */
	body: unknown;
}

/** The header that authenticates the shop. */
export const SECRET = { name: 'X-Shop-Secret', value: 'shop-secret' };

/** Sends a payment to the workflow, as a shop does. */
export async function pay(
	n8nUrl: string,
	payment: Payment,
	{ secret = SECRET.value, path = 'class-enrollment-payment' } = {},
): Promise<Answer> {
	const response = await fetch(`${n8nUrl}/webhook/${path}`, {
		method: 'POST',
		headers: { 'content-type': 'application/json', [SECRET.name]: secret },
		body: JSON.stringify(payment),
	});
	const text = await response.text();
	const isJson = response.headers.get('content-type')?.includes('json');
	return { status: response.status, body: isJson ? JSON.parse(text) : text };
}
