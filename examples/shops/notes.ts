import type { Shop } from './shops';

const TOP = -1080;
const HEIGHT = 600;
const GAP = 40;

/** What the user does once, in order. */
function setUp({ name, proof, secret, address }: Shop): string {
	const credential =
		'header' in proof
			? `Open **Notification Received** and click **Connect to Header Auth**. As **Name**, enter \`${proof.header}\`, as **Value** ${secret}.`
			: `Open **Compute Signature** and click **Connect to Crypto**. As **Hmac Secret**, enter ${secret}. Leave the other fields empty.`;
	return `## From ${name} to class
When somebody pays, this workflow enrolls them in the classes of the product and emails a **sign-in link**. After a refund or a chargeback, it removes them.

1. In **Enroll Buyer**, **Send Sign-In Link**, **Remove From Class** and **List Classes**, check that your credential of the learning platform is chosen.
2. ${credential} (If a credential of another shop is chosen there, open the list and create a new one.)
3. Point at **Set Up Once** (below) and click its small **Execute workflow**. It creates two data tables and enters your classes.
4. Open **Overview → Data tables → class_products**. It has a row for each class: enter your **product** there (see the next note).
5. Come back and **publish** the workflow. Open **Notification Received** and copy its **Production URL**. ${address}.
6. Buy something yourself and give the money back. Each notification appears under **Executions**.

Nobody else knows the address: n8n made it up for you. ${
		'header' in proof
			? 'A notification without the secret gets 403.'
			: 'A notification with a wrong signature gets 403 and appears as failed.'
	}`;
}

function products({ product }: Shop): string {
	return `## The table class_products
| Column | What to enter |
|---|---|
| \`className\` | The name of the class, for you alone |
| \`product\` | ${product[0]!.toUpperCase()}${product.slice(1)}. Empty: not for sale in this shop |
| \`months\` | How long a payment gives access. Empty: twelve |
| \`classId\` | The ID of the class |

**Another product with the same class**: add a row with both. **A product with several classes**: enter it in each of their rows. **What is no class**, such as a book: add a row with \`-\` as its \`classId\`. Any other product is an error, so that no buyer is forgotten.

**A new class** appears here when you run *Set Up Once* again.

**A renewal** is another payment for a class that the buyer still has: its months begin when the access ends, and no second link is sent.

**The table class_access** has a row for each payment and class. The recipe *Nightly removal* removes students when \`expiresAt\` has passed.

**If you have these tables from an older recipe**, add the columns \`className\` (string) and \`months\` (number) to \`class_products\`, and \`enrolledAt\` and \`workingSince\` (datetime) to \`class_access\`.`;
}

function whatTheShopSees({ isAnsweredAtOnce, habit }: Shop): string {
	const where = isAnsweredAtOnce
		? `**Answer at Once** says 200 before the payment is processed, because ${habit}. A failure only shows in n8n. To let the shop see it, deactivate that node (select it and press D) and publish.`
		: `The answer comes at the end, because ${habit}. If it must never see a failure, activate **Answer at Once** (select it and press D) and publish.`;
	return `## What the shop sees
${where}

| Status | Meaning |
|---|---|
| **200** | Done, done before, or nothing to do |
| **403** | Not from the shop |
| **422** | Cannot be processed, such as an unknown product. To send it again does not help. |
| **503**, **500** | The service or n8n failed. The shop should send it again. |

**A notification that comes again does no harm.** While one is at work, the next one for the same payment waits. (Only at the very same moment, or after half a minute, the buyer may get two links.)

**A refund that comes first** is remembered: the payment then enrolls nobody. A refund of a part changes nothing. After a reversed chargeback, delete the rows of the payment in \`class_access\` and have the shop send the payment again.`;
}

const FAILURES = `## If something fails
It appears as failed under **Executions**, with the reason. Correct what is wrong, then press **Retry** there (the arrow beside *Debug in editor*). The retry appears at the top of the list: select it to see whether it succeeded. Only what is left is done.

- **Retry with original workflow** is enough if the service was down, or if you have corrected a table or a credential.
- **Retry with currently saved workflow** uses your corrections on the canvas. Publish them too.
- **An unknown status** must be added to a list in **What the Shop Sends**: *paid*, *refunded* or *nothingToDo*. Upper case, accents, spaces, \`_\` and \`-\` make no difference.
- **If the payment itself is wrong**, such as the buyer's address, enroll the buyer by hand.
- **If the service rejects a removal** (status 400 or 422), the student is most likely no longer in the class. The row counts as removed; the execution fails once, so that you can check.

To be told of failures, choose an error workflow in this workflow's settings.`;

const OTHER_SHOP = `## What your shop sends
\`{ "paymentId": "1001", "status": "paid", "buyer": { "name": "…", "email": "…" }, "products": ["python"] }\`

**If it sends other fields**, click *Listen for test event* in **Notification Received** and have the shop send a test to the test URL. Then, in **What the Shop Sends**, empty each value and drag the field of the shop into it. (n8n inserts a dragged field into the old value.)

\`products\` can be one code, several separated by commas, or a list. If the codes are inside a list of objects, enter an expression such as \`{{ $json.body.items.map((item) => item.sku) }}\`. **If you drag in one of them**, such as \`items[0].sku\`, every buyer only gets the first product.

**If it cannot send a header**, set Authentication in **Notification Received** to *None*. Then only the address protects you, and whoever knows it can enroll students: tell it nobody but the shop.

**Publish the workflow after every change.**`;

const ONCE =
	'**Run this once**, after choosing the credentials. It creates the data tables `class_access` and `class_products` if they do not exist, and enters your classes in `class_products`. Run it again after you have added a class.';

/** The notes on the canvas of a shop's recipe, from left to right: name, place and parameters. */
export function notesOf(shop: Shop, left: number): Array<[string, [number, number], object]> {
	const notes: Array<[name: string, width: number, content: string]> = [
		['About This Workflow', 680, setUp(shop)],
		['Products', 560, products(shop)],
		...(shop.isAnother ? [['Another Shop', 600, OTHER_SHOP] as [string, number, string]] : []),
		['What the Shop Sees', 600, whatTheShopSees(shop)],
		['If Something Fails', 600, FAILURES],
	];
	let x = left;
	const placed = notes.map(([name, width, content]): [string, [number, number], object] => {
		x += width + GAP;
		return [name, [x - width - GAP, TOP], { width, height: HEIGHT, content }];
	});
	return [
		...placed,
		['Set Up Note', [-40, 740], { color: 4, width: 660, height: 100, content: ONCE }],
	];
}
