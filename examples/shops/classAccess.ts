import type { Workflow } from '../../test/n8n/workflows';
import {
	code,
	enrollment,
	fields,
	note,
	noteOnly,
	rows,
	lastRows,
	step,
	switchOn,
	table,
	workflow,
} from './nodes';

export const CLASS_ACCESS = 'Class access';
/** Its workflow ID, if it is imported by the link in a shop's sticky note. So nobody has to choose it. */
export const CLASS_ACCESS_ID = 'class-access-1';

/** What another workflow gives it. For n8n, a number is no `string`, but many payment IDs are numbers. */
export const SALE = {
	paymentId: 'any',
	status: 'string',
	email: 'string',
	name: 'string',
	products: 'any',
	paidAt: 'string',
	until: 'string',
	/** Whether the caller shows a failure itself. */
	returnFailure: 'boolean',
};

const HOW = `## Class access 1.0
Your shops' workflows call this one with each payment and refund. It makes your learning platform **agree with what is paid**:

1. **Record** the sale in the data table \`class_access\`.
2. **Look up** all that the buyer has paid, and see **when access ends**.
3. See **what differs**: a buyer to add, to remove, or to send a magic link.
4. Do it, look again, and **note** it.

*Every Night* does the same for everybody whose access has ended or whose work failed. It also enters new classes in \`class_products\`. If a sale fails, select **Retry** in the **shop's** execution.

**To use a newer file**: import it into a new workflow, publish it, choose it in your shops' workflows (there, switch on \`returnFailure\`), and unpublish this one. The tables stay.`;

const SET_UP = `## Set up
1. If you don't have the credential yet, double-click **List Classes** and select *Connect to Class Enrollment*.
2. Select *Execute workflow*. It creates two data tables and enters your classes. By hand, it removes nobody.
3. Select **Publish**.
4. [Open Data tables](/home/datatables) **> class_products**, and enter your products. A cell may hold several codes with commas (press *End* before you add one). A product that isn't a class needs a row with \`-\` as \`classId\`.
5. Go back to your shop's workflow.`;

const TABLE = `## The table class_access
A row for each payment and class. \`expiresAt\` is when the night checks it again. \`endedAt\` is the refund. \`problem\` says what was rejected: correct the row, and enter today as \`expiresAt\`.

**To give access by hand**, add a row: \`paymentId\` (any new text), \`email\` in lower case, \`classId\`, \`months\` or \`until\`, and today as \`expiresAt\`. The night adds the student. **After a reversed chargeback**, delete the payment's rows and send it again.`;

const ifSale = (value: string, or: string) => `={{ $('Sale').isExecuted ? ${value} : ${or} }}`;
const PAYMENT = "(String($('Sale').first().json.paymentId ?? '').trim() || '-')";
const VALUES = Object.entries(SALE).map(([name, type]) => ({ name, type }));
const classId = { __rl: true, mode: 'id', value: '={{ $json.classId }}' };
const goOn = { onError: 'continueRegularOutput' };

/** What all shops share: the tables, the plan, and the night. */
export function classAccess(): Workflow {
	return workflow(
		`${CLASS_ACCESS} 1.0`,
		{
			'How It Works': [-60, -480, note(680, 380, HOW)],
			'The Table': [640, -480, note(380, 380, TABLE)],
			'Set Up': [1040, -480, note(420, 380, SET_UP)],
			Sale: [0, 0, step('executeWorkflowTrigger', 1.1, { workflowInputs: { values: VALUES } })],
			'Every Night': [
				0,
				260,
				step('scheduleTrigger', 1.2, {
					// Several times, each with a portion of the rows.
					rule: { interval: [{ field: 'cronExpression', expression: '0 1-5 * * *' }] },
				}),
			],
			'Get Products': [200, 0, rows('get', 'class_products', [])],
			'Look Up Payment': [
				400,
				0,
				// The payment's rows. At night, the newest whose access has ended, or whose work isn't done.
				lastRows(
					150,
					'expiresAt',
					rows('get', 'class_access', [
						[ifSale("'paymentId'", "'expiresAt'"), ifSale("'eq'", "'lt'"), ifSale(PAYMENT, '$now')],
						[ifSale("'paymentId'", "'removedAt'"), ifSale("'isNotEmpty'", "'isEmpty'"), ''],
					]),
				),
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
					// An address with % may find more than 1,000 rows, which n8n can't read while others are added.
					retryOnFail: true,
					maxTries: 5,
					waitBetweenTries: 1000,
				},
			],
			'When Access Ends': [1000, 0, code('accessEnds')],
			'What Differs': [1200, 0, code('whatDiffers')],
			'What Is Next?': [
				1380,
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
				1600,
				-320,
				rows(
					'upsert',
					'class_access',
					[
						['paymentId', 'eq', '={{ $json.paymentId }}'],
						['classId', 'eq', '={{ $json.classId }}'],
						// What was refunded meanwhile stays so.
						['endedAt', 'isEmpty', ''],
					],
					{
						...fields({ paymentId: 'string', classId: 'string', email: 'string', name: 'string' }),
						...fields({
							paidAt: 'dateTime',
							months: 'number',
							until: 'dateTime',
							endedAt: 'dateTime',
						}),
						classCount: ['number', '={{ $input.all().length }}'],
						expiresAt: ['dateTime', '={{ $now }}'],
						removedAt: ['dateTime', '={{ $json.classId ? null : $now }}'],
					},
				),
			],
			'Add to Class': [
				1600,
				-160,
				enrollment(
					'addToClass',
					{
						classId,
						email: '={{ $json.email }}',
						name: '={{ $json.name }}',
						accessExpiration: 'date',
						expirationDate: '={{ $json.end }}',
					},
					goOn,
				),
			],
			'Remove From Class': [
				1600,
				0,
				enrollment('removeFromClass', { classId, email: '={{ $json.email }}' }, goOn),
			],
			'Claim Link': [
				1600,
				160,
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
				1600,
				320,
				enrollment('sendMagicLink', { email: '={{ $json.email }}', redirectUrl: '' }, goOn),
			],
			'What Was Done': [1820, 320, code('whatWasDone')],
			'What to Note': [1600, -480, code('whatToNote')],
			Note: [1820, -480, noteOnly('class_access')],
			Result: [2000, -480, code('result')],
			'Create Access Table': [
				200,
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
					classCount: 'number',
					removedAt: 'date',
					problem: 'string',
				}),
			],
			'Create Product Table': [
				400,
				260,
				table('class_products', {
					product: 'string',
					className: 'string',
					months: 'number',
					classId: 'string',
				}),
			],
			'List Classes': [
				600,
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
				800,
				260,
				rows('upsert', 'class_products', [['classId', 'eq', '={{ $json.id }}']], {
					classId: ['string', '={{ $json.id }}'],
					className: ['string', '={{ $json.name }}'],
				}),
			],
		},
		[
			'Sale > Get Products > Look Up Payment > What Was Bought > Look Up',
			'Look Up > When Access Ends > What Differs > What Is Next?',
			'What Is Next?#0 > What to Note > Note > Result',
			'What Is Next?#1 > Record > What Was Done',
			'What Is Next?#2 > Add to Class > What Was Done',
			'What Is Next?#3 > Remove From Class > What Was Done',
			'What Is Next?#4 > Claim Link > What Was Done',
			'What Is Next?#5 > Send Magic Link > What Was Done',
			'What Was Done > Look Up Payment',
			'Every Night > Create Access Table > Create Product Table > List Classes > Enter Classes > Get Products',
		],
	);
}
