import { note, type Step } from './nodes';
import type { Shop } from './shops';

const HEIGHT = 300;

/** What the user does once, in order. */
function setUp({ name, proof, secret, address }: Shop): string {
	const credential =
		'header' in proof
			? `**Notification Received**: click *Connect to Header Auth*. Name \`${proof.header}\`, value ${secret}.`
			: `**Compute Signature**: click *Connect to Crypto*. Hmac Secret: ${secret}.`;
	return `## From ${name} to class
1. Import and publish **Class access** first.
2. **Class access** (below): choose that workflow.
3. ${credential}
4. **Publish**. Copy the *Production URL* of **Notification Received**. ${address}.
5. Buy something yourself and give the money back. Each notification appears under **Executions**.`;
}

const failures = ({ isAnsweredAtOnce, habit }: Shop) => `## What fails
It is shown as failed under **Executions**, with the reason. Correct it and press **Retry** (the arrow beside *Debug in editor*): only what is left is done. An unknown status belongs in a list of **What the Shop Sends**.

${
	isAnsweredAtOnce
		? `The shop gets 200 (forged: 403) at once, because ${habit}.`
		: `The shop gets 200 when all is done, 403 if forged, 422 if it cannot be done, 503 if it should send it again: ${habit}.`
}`;

const OTHER_SHOP = `## What your shop sends
\`{ "paymentId": "1001", "status": "paid", "buyer": { "name": "…", "email": "…" }, "products": ["python"] }\`

**Other fields?** Click *Listen for test event* in **Notification Received**, send a test, and drag the fields into **What the Shop Sends**. \`products\` may be a code, several with commas, or a list such as \`{{ $json.body.items.map((item) => item.sku) }}\`.

**No header?** Set Authentication to *None*: then only the address protects you.`;

/** The notes on the canvas of a shop's recipe. */
export function notesOf(shop: Shop): Record<string, [number, number, Step]> {
	return {
		'Set Up': [-60, -480, note(600, HEIGHT, setUp(shop))],
		'If Something Fails': [580, -480, note(440, HEIGHT, failures(shop))],
		...(shop.isAnother && { 'Another Shop': [1060, -480, note(440, HEIGHT, OTHER_SHOP)] }),
	};
}
