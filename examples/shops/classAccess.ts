import type { Workflow } from '../../test/n8n/workflows';
import { code, enrollment, note, noteOnly, rows, step, switchOn, table, workflow } from './nodes';

export const CLASS_ACCESS = 'Class access';

const HOW = `## Class access
The workflows of your shops call this one with each payment and refund. It makes the platform **agree with what is paid**:

1. **Record** the sale in the table \`class_access\`.
2. **Look up** all that the buyer has paid, and see **when access ends**.
3. See **what differs**: somebody to add, to remove, or to send a link to.
4. Do it, and look again, until nothing differs. Then **note** it.

*Every Night* does the same for everybody. Click its *Execute workflow* to see in *What Differs* what it would do.

A failure appears in the **shop's** executions: press Retry there.`;

const SET_UP = `## Set up
1. Check that your credential is chosen in the four nodes with the logo.
2. Point at **Set Up Once** and click its small *Execute workflow*: it creates two tables and enters your classes.
3. **Overview → Data tables → class_products**: enter your products.
4. **Publish**.
5. Import the workflow of your shop.`;

const TABLE = `## The table class_access
A row for each payment and class. \`expiresAt\` is the end the platform was told, \`endedAt\` the refund. \`enrolledAt\`, \`removedAt\` and \`linkSentAt\` say that it was done.

**To give access by hand**, add a row with \`email\`, \`classId\`, \`expiresAt\`. **After a reversed chargeback**, delete the rows of the payment, and send it again.`;

/** What a shop's workflow gives. */
const SALE = ['paymentId', 'status', 'email', 'name', 'products', 'paidAt', 'until'].map(
	(name) => ({
		name,
		type: 'string',
	}),
);

const ifSale = (value: string, or: string) => `={{ $('Sale').isExecuted ? ${value} : ${or} }}`;
const PAYMENT = "($('Sale').first().json.paymentId || '-')";
const field = (type: string, name: string): [string, string] => [type, `={{ $json.${name} }}`];
const classId = { __rl: true, mode: 'id', value: '={{ $json.classId }}' };
const goOn = { onError: 'continueRegularOutput' };

/** What all shops share: the tables, the plan, and the night. */
export function classAccess(): Workflow {
	return workflow(
		CLASS_ACCESS,
		{
			'How It Works': [-60, -400, note(780, 280, HOW)],
			'The Table': [740, -400, note(380, 280, TABLE)],
			'Set Up': [1140, -400, note(380, 280, SET_UP)],
			Sale: [0, 0, step('executeWorkflowTrigger', 1.1, { workflowInputs: { values: SALE } })],
			'Every Night': [
				0,
				180,
				step('scheduleTrigger', 1.2, {
					rule: {
						interval: [{ field: 'days', daysInterval: 1, triggerAtHour: 3, triggerAtMinute: 0 }],
					},
				}),
			],
			'Get Products': [200, 0, rows('get', 'class_products', [])],
			'Look Up Payment': [
				400,
				0,
				// The payment's rows. At night, those whose access has ended, or whose work isn't done.
				rows('get', 'class_access', [
					[ifSale("'paymentId'", "'expiresAt'"), ifSale("'eq'", "'lt'"), ifSale(PAYMENT, '$now')],
					[ifSale("'paymentId'", "'removedAt'"), ifSale("'isNotEmpty'", "'isEmpty'"), ''],
				]),
			],
			'What Was Bought': [600, 0, code('whatWasBought')],
			'Look Up': [
				800,
				0,
				{
					...rows(
						'get',
						'class_access',
						[
							['paymentId', 'eq', ifSale(PAYMENT, "'-'")],
							['email', 'ilike', "={{ $json.email || '-' }}"],
						],
						undefined,
						'anyCondition',
					),
					executeOnce: false, // at night, for each buyer
				},
			],
			'When Access Ends': [1000, 0, code('accessEnds')],
			'What Differs': [1200, 0, code('whatDiffers')],
			'What Is Next?': [
				1400,
				0,
				switchOn({
					Done: 'note',
					Record: 'record',
					Add: 'add',
					Remove: 'remove',
					Claim: 'claim',
					Link: 'link',
				}),
			],
			Record: [
				1640,
				-210,
				rows(
					'upsert',
					'class_access',
					[
						['paymentId', 'eq', '={{ $json.paymentId }}'],
						['classId', 'eq', '={{ $json.classId }}'],
					],
					{
						paymentId: field('string', 'paymentId'),
						classId: field('string', 'classId'),
						email: field('string', 'email'),
						name: field('string', 'name'),
						paidAt: field('dateTime', 'paidAt'),
						months: field('number', 'months'),
						until: field('dateTime', 'until'),
						endedAt: field('dateTime', 'endedAt'),
						expiresAt: ['dateTime', '={{ $now }}'],
						removedAt: ['dateTime', '={{ $json.classId ? null : $now }}'],
					},
				),
			],
			'Add to Class': [
				1640,
				-70,
				enrollment(
					'addToClass',
					{
						classId,
						email: '={{ $json.email }}',
						name: '={{ $json.name }}',
						accessExpiration: "={{ $json.expiresAt ? 'date' : 'none' }}",
						expirationDate: '={{ $json.expiresAt }}',
					},
					goOn,
				),
			],
			'Remove From Class': [
				1640,
				70,
				enrollment('removeFromClass', { classId, email: '={{ $json.email }}' }, goOn),
			],
			'Claim Link': [
				1640,
				210,
				{
					...rows(
						'update',
						'class_access',
						[
							['email', 'eq', '={{ $json.email }}'],
							['linkClaimedAt', 'eq', '={{ $json.linkClaimedAt }}'],
						],
						{ linkClaimedAt: ['dateTime', '={{ $now }}'] },
					),
					alwaysOutputData: true,
				},
			],
			'Send Magic Link': [
				1640,
				350,
				enrollment('sendMagicLink', { email: '={{ $json.email }}', redirectUrl: '' }, goOn),
			],
			'What Was Done': [1880, 350, code('whatWasDone')],
			'What to Note': [1640, -350, code('notes')],
			Note: [1880, -350, noteOnly('class_access')],
			Result: [2080, -350, code('result')],
			'Set Up Once': [440, 260, step('manualTrigger', 1, {})],
			'Create Access Table': [
				640,
				260,
				table('class_access', {
					paymentId: 'string',
					classId: 'string',
					email: 'string',
					name: 'string',
					paidAt: 'date',
					months: 'number',
					until: 'date',
					expiresAt: 'date',
					enrolledAt: 'date',
					linkClaimedAt: 'date',
					linkSentAt: 'date',
					endedAt: 'date',
					removedAt: 'date',
					problem: 'string',
				}),
			],
			'Create Product Table': [
				840,
				260,
				table('class_products', {
					className: 'string',
					product: 'string',
					months: 'number',
					classId: 'string',
				}),
			],
			'List Classes': [
				1040,
				260,
				{
					...enrollment('getAll', {}),
					parameters: {
						resource: 'class',
						operation: 'getAll',
						returnAll: true,
						filters: {},
						options: {},
					},
				},
			],
			'Enter Classes': [
				1240,
				260,
				rows('upsert', 'class_products', [['classId', 'eq', '={{ $json.id }}']], {
					classId: field('string', 'id'),
					className: field('string', 'name'),
				}),
			],
		},
		[
			'Sale > Get Products > Look Up Payment > What Was Bought > Look Up',
			'Every Night > Get Products',
			'Look Up > When Access Ends > What Differs > What Is Next?',
			'What Is Next?#0 > What to Note > Note > Result',
			'What Is Next?#1 > Record > What Was Done',
			'What Is Next?#2 > Add to Class > What Was Done',
			'What Is Next?#3 > Remove From Class > What Was Done',
			'What Is Next?#4 > Claim Link > What Was Done',
			'What Is Next?#5 > Send Magic Link > What Was Done',
			'What Was Done > Look Up Payment',
			'Set Up Once > Create Access Table > Create Product Table > List Classes > Enter Classes',
		],
	);
}
