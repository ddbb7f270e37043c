export interface Payment {
	paymentId: string | number;
	status?: string;
	buyer?: { name?: string; email: string };
	classIds: string[];
}

export interface Answer {
	status: number;
	/** JSON where the answer is JSON, otherwise text. */
	body: unknown;
}

/** The header by which the workflow knows the shop. */
export const SECRET = { name: 'X-Shop-Secret', value: 'secret-of-the-shop' };

/** Tells the workflow of the example about a payment, as a shop does. */
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
