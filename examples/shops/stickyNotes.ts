import { CLASS_ACCESS_ID } from './classAccess';
import { note, type Step } from './nodes';
import type { Shop } from './shops';

const TOP = -460;
const HEIGHT = 320;

/** What makes sure that a notification is the shop's. */
function protection({ proof, secret }: Shop): string {
	if ('address' in proof)
		return '**Keep the address secret**: whoever knows it can add and remove students. If your shop can send a header, also set **Authentication** of **Notification Received** to *Header Auth*, with a name and a long password of your own.';
	const credential =
		'header' in proof
			? `**Notification Received**: select *Connect to Header Auth*. Name \`${proof.header}\`, value ${secret}.`
			: `**Compute Signature**: select *Connect to Crypto*. Hmac Secret: ${secret}.`;
	const signsPart = 'part' in proof;
	return `${credential} If one is already chosen, create a new one.${signsPart ? ' Choose it in **Sign Part** too.' : ''}`;
}

/** What the user does once, in order. */
function setUp(shop: Shop): string {
	const { name, isAnother, product, address } = shop;
	return `## From ${name} to class
1. [Open Class access](../workflow/${CLASS_ACCESS_ID}?new=true). If it's empty, import \`class-access.json\` there, and set it up. You need n8n 2.10 or newer.
2. ${protection(shop)}
3. ${isAnother ? 'Other names? In place of this step, see *What your shop sends*. ' : ''}**Publish**. Right-click **Notification Received** and select *Copy production url*. ${address}.
4. Buy something yourself, and refund it. Each notification appears under **Executions**. The product's code is ${product}.`;
}

const failures = ({ isAnsweredAtOnce, habit }: Shop) => `## If something fails
*Failure notice* tells you, once you choose it as **Error Workflow** under **⋯ > Settings**. See the reason under **Executions**. Correct it and select **Retry** (the arrow beside *Debug in editor*), *with currently saved workflow*. An unknown product belongs in [Data tables](/home/datatables) **> class_products** (or in a new row with \`-\` as \`classId\`, if it's no class). An unknown status belongs in \`paid\`, \`refunded\`, or \`nothingToDo\` of **What the Shop Sends**: publish, then retry. In a filled cell or field, press **End** first, and type a comma before the new text.

${
	isAnsweredAtOnce
		? `The shop gets 200 at once, because ${habit}.`
		: `The shop gets 500 if something failed: ${habit}.`
}`;

const OTHER_SHOP = `## What your shop sends
\`{ "paymentId": "1001", "status": "paid", "email": "…", "name": "…", "products": ["python"] }\`

**Other names?** In **Notification Received**, select *Listen for test event*. Click the address that appears (this copies it). Enter it in your shop, for payments and refunds, and let it send a test. In **What the Shop Sends**, drag each field of the shop into the empty one that means the same. For \`products\`, drag the list itself. If it shows fields, the code is read from \`sku\` or \`product_id\`. Is it another field, or are both there? Type its name into \`productCode\`, in place of what's there. **Publish**. Then, in your shop, change \`/webhook-test/\` to \`/webhook/\` in this address.`;

/** The notes on the canvas of a shop's recipe. */
export function notesOf(shop: Shop): Record<string, [number, number, Step]> {
	return {
		'Set Up': [-60, TOP, note(600, HEIGHT, setUp(shop))],
		'If Something Fails': [580, TOP, note(440, HEIGHT, failures(shop))],
		...(shop.isAnother && { 'Another Shop': [1060, TOP, note(440, HEIGHT, OTHER_SHOP)] }),
	};
}
