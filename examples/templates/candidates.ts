import type { Workflow } from '../../test/n8n/workflows';
import { readExample } from '../../test/e2e/examples';
import { withClassAccess } from './withClassAccess';

/** What is submitted to n8n's template library. */
export interface Candidate {
	/** The name of its files. */
	name: string;
	/** The name of the workflow there: what is done, to what, and where from or where to. */
	title: string;
	/** For whom it is, in the description. What it does and its setup are in its yellow note. */
	audience: string;
	/** What one needs for it, in the description. */
	requirements: string[];
	/** The workflow, with its notes. */
	read: () => Workflow;
}

const PACKAGE =
	'The community node [n8n-nodes-class-enrollment](https://www.npmjs.com/package/n8n-nodes-class-enrollment)';
const PLATFORM = 'A learning platform with an API and an access token';

export const CANDIDATES: Candidate[] = [
	{
		name: 'class-access-with-a-shop',
		title:
			'Add buyers from any shop to classes and remove them after refunds with Class Enrollment',
		audience: 'Schools that sell access to classes, and want it to begin and end by itself.',
		requirements: [
			PACKAGE,
			PLATFORM,
			'A shop that can send JSON to an address',
			'n8n 2.10 or newer',
		],
		read: () =>
			withClassAccess(
				readExample('shop-other'),
				readExample('class-access'),
				`## Add buyers from your shop to classes, and remove them after refunds
### How it works
Your shop tells this workflow of each payment and refund. The lower part, **Class access**, keeps tables of products, sales, and students. It adds the buyer to the classes of the product and emails a magic link. After a refund, it removes them. Every hour, it ends the access whose day has come, and does what has failed.

### Setup
1. In each *Class Enrollment* node, choose your credential.
2. Select **Every Hour** and *Execute workflow*. It creates the data tables.
3. In the table **class_products**, enter the products of your shop with their classes.
4. **What the Shop Sends**: drag your shop's fields into those that mean the same.
5. **Publish**. Copy the production URL of **Notification Received**, and enter it in your shop. Keep it secret.
6. Buy something yourself, and refund it.`,
			),
	},
	{
		name: 'lost-link',
		title: 'Email new magic links to students from a form with Class Enrollment',
		audience: 'Schools whose students lose the email with their link.',
		requirements: [PACKAGE, PLATFORM],
		read: () => readExample('lost-link'),
	},
	{
		name: 'end-of-access',
		title: 'Remove students from classes every night when their access ends with Class Enrollment',
		audience: 'Schools whose access to classes ends on a day, and that keep a list of these days.',
		requirements: [PACKAGE, PLATFORM, 'n8n 2.3 or newer'],
		read: () => readExample('end-of-access'),
	},
	{
		name: 'agent-with-approval',
		title:
			'Let an AI agent remove students from classes after approval with OpenAI and Class Enrollment',
		audience: 'Support teams that want to ask in a chat, and to confirm what cannot be undone.',
		requirements: [PACKAGE, PLATFORM, 'An account of OpenAI, or a model with the same API'],
		read: () => readExample('agent-with-approval'),
	},
];

/** The workflow of a candidate, as it is submitted. */
export function templateOf({ title, read }: Candidate): Workflow {
	return { ...read(), name: title };
}
