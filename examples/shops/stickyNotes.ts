import { CLASS_ACCESS_ID } from '../classAccess/workflow';
import { note, type Step } from '../canvas/nodes';
import type { Shop } from './shop';

const WHITE = { color: 7 };
const LEFT = -60;
const GAP = 20;

function howItWorks({ name, isAnother, isAnsweredAtOnce, habit }: Shop): string {
	const shop = isAnother ? 'your shop' : name;
	const answer = isAnsweredAtOnce
		? `Then the shop gets 200, whatever becomes of it, because ${habit}.`
		: `If something fails, the shop gets 500: ${habit}.`;
	return `### How it works
When ${shop} tells of a payment, the sale is written into the data table **class_sales**, so that it can't get lost. ${answer} **Class access** adds the buyer to the classes of the product and emails a magic link. After a refund or a chargeback, it removes them.`;
}

/** What makes sure that a notification is the shop's. */
function protection({ proof, secret }: Shop): string {
	if (proof.kind === 'address')
		return '**Keep the address secret**: whoever knows it can add and remove students. If your shop can send a header, also set **Authentication** of **Notification Received** to *Header Auth*, with a name and a long password of your own.';
	const credential =
		proof.kind === 'header'
			? `**Notification Received**: select *Connect to Header Auth*. Name \`${proof.header}\`, value ${secret}.`
			: `**Compute Signature**: select *Connect to Crypto*. Hmac Secret: ${secret}.`;
	const signsPart = proof.kind === 'hmac' && proof.part !== undefined;
	return `${credential} If one is already chosen, create a new one.${signsPart ? ' Choose it in **Sign Part** too.' : ''}`;
}

/** What the user does once, in order. */
function setUp(shop: Shop): string {
	const { isAnother, product, address } = shop;
	return `### Setup
1. [Open Class access](../workflow/${CLASS_ACCESS_ID}?new=true). If it's empty, import \`class-access.json\` there, and set it up. You need n8n 2.10 or newer.
2. ${protection(shop)}
3. ${isAnother ? 'Other names? In place of this step, see below. ' : ''}**Publish**. Right-click **Notification Received** and select *Copy production url*. ${address}.
4. Buy something yourself, and refund it. Each notification appears under **Executions**. The product's code is ${product}.
5. Choose *Failure notice* as **Error Workflow** under **⋯ > Settings**.`;
}

const OTHER_NAMES = `

**Other names?** In **Notification Received**, select *Listen for test event*. Click the address that appears (this copies it). Enter it in your shop, for payments and refunds, and let it send a test. In **What the Shop Sends**, drag each field of the shop into the empty one that means the same. For \`products\`, drag the list itself. **Publish**. Then, in your shop, change \`/webhook-test/\` to \`/webhook/\` in this address.`;

const READING = `## What the shop sends
**An unknown status** belongs in \`paid\`, \`refunded\`, or \`nothingToDo\` of **What the Shop Sends**: press **End**, and type a comma and the word. Publish, then retry. The error output of **Read Notification** has what is no sale, and why.`;

const OTHER_SHOP = `## What your shop sends
\`{"paymentId": "1001", "status": "paid", "email": "…", "name": "…", "products": ["python"]}\`

**An unknown status** belongs in \`paid\`, \`refunded\`, or \`nothingToDo\` of **What the Shop Sends**: press **End**, type a comma and the word, publish, and retry.

**Subscriptions?** Without \`isSubscription\`, each charge may give a year.`;

const WORK = `## Recorded, then carried out
**An unknown product** belongs in [Data tables](/home/datatables) **> class_products**. Then open the failed execution under **Executions**, and select **Retry** (the arrow beside *Debug in editor*), *with currently saved workflow*.`;

/**
 * The notes on the canvas of a shop's workflow.
 * @param workLeft where the section of Class access begins, after that of the notification
 * @param width of both sections
 */
export function notesOf(
	shop: Shop,
	workLeft: number,
	width: number,
): Record<string, [number, number, Step]> {
	const { name, isAnother } = shop;
	const about = `## Add buyers from ${name} to classes\n${howItWorks(shop)}\n\n${setUp(shop)}${isAnother ? OTHER_NAMES : ''}`;
	const height = isAnother ? 190 : 150;
	const heightOfAbout = isAnother ? 460 : 360;
	// Above the highest node, which is the answer, if there is one.
	const top = (shop.isAnsweredAtOnce ? -170 : -50) - height;
	return {
		'About This Workflow': [LEFT, top - GAP - heightOfAbout, note(width, heightOfAbout, about)],
		'What It Sends': [
			LEFT,
			top,
			note(workLeft - GAP, height, isAnother ? OTHER_SHOP : READING, WHITE),
		],
		'What Becomes of It': [LEFT + workLeft, top, note(width - workLeft, height, WORK, WHITE)],
	};
}
