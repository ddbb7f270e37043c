import type { Workflow } from '../../test/n8n/workflows';
import { compile } from '../classAccess/compile';
import {
	enrollment,
	fields,
	firstRows,
	compiled,
	note,
	rows,
	step,
	switchOn,
	table,
	workflow,
	type Step,
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
Your shops' workflows call this one with each payment and refund. It makes your learning platform **agree with what is paid**. **Plan** says what is next, and the canvas carries it out, until there is nothing left:

1. **Look up** what the buyer has paid, and what the platform was told.
2. **Record** the sale in \`class_sales\`.
3. **Open** or **note** the student in \`class_students\`, then **add**, **remove**, or send a **magic link**.
4. **Finish**: what is carried out.

*Every Night* does the same for everybody whose access has ended or whose work failed. It also enters new classes in \`class_products\`. If a sale fails, select **Retry** in the **shop's** execution.

**To use a newer file**: import it into a new workflow, publish it, choose it in your shops' workflows (there, switch on \`returnFailure\`), and unpublish this one. The tables stay.`;

const SET_UP = `## Set up
1. If you don't have the credential yet, double-click **List Classes** and select *Connect to Class Enrollment*.
2. Select *Execute workflow*. It creates three data tables and enters your classes. By hand, it removes nobody.
3. Select **Publish**.
4. [Open Data tables](/home/datatables) **> class_products**, and enter your products. A cell may hold several codes with commas (press *End* before you add one). A product that isn't a class needs a row with \`-\` as \`classId\`.
5. Go back to your shop's workflow.`;

const TABLE = `## The tables
**class_students** says who is in which class until when (\`end\`), and in \`problem\` why not. **class_sales** says what the shops said. Correct it by adding rows. The night carries out each row whose \`doneAt\` is empty:

- **Give access**: \`paymentId\` (any new text), \`email\`, \`classId\`, \`months\` or \`until\`
- **Take it back**: \`paymentId\` of the payment, kind \`refunded\`
- **A mistyped address**: \`paymentId\` of the payment, kind \`moved\`, the old \`email\`. Then retry the shop's execution.
- **Many removals at once**: kind \`allow\``;

const VALUES = Object.entries(SALE).map(([name, type]) => ({ name, type }));
const classId = { __rl: true, mode: 'id', value: '={{ $json.classId }}' };
const goOn = { onError: 'continueRegularOutput' };
const STUDENT = fields({
	...{ name: 'string', end: 'dateTime', checkAt: 'dateTime', acting: 'string' },
	...{ openedAt: 'dateTime', linkClaimedAt: 'dateTime', linkSentAt: 'dateTime' },
	...{ problem: 'string', changedBy: 'string' },
});
/** It may find nothing, and n8n goes on only with an item. */
const always = (node: Step): Step => ({ ...node, alwaysOutputData: true });
/** For each item. More than 1,000 rows can't be read while others are added. */
const each = (node: Step): Step => ({
	...node,
	...{ executeOnce: false, retryOnFail: true, maxTries: 5, waitBetweenTries: 1000 },
});
const BUYER: [string, string, string] = ['email', 'ilike', "={{ $json.email || '-' }}"];

/** What all shops share: the tables, the plan, and the night. */
export function classAccess(): Workflow {
	return workflow(
		`${CLASS_ACCESS} 1.0`,
		{
			'How It Works': [-60, -520, note(620, 420, HOW)],
			'The Table': [580, -520, note(440, 420, TABLE)],
			'Set Up': [1040, -520, note(420, 420, SET_UP)],
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
			Plan: [400, 0, compiled(compile('classAccess/n8n'))],
			'What Is Next?': [
				600,
				0,
				switchOn({
					Done: 'done',
					Look: 'look',
					Record: 'record',
					Open: 'open',
					Note: 'note',
					Add: 'add',
					Remove: 'remove',
					Link: 'link',
					Count: 'count',
					Finish: 'finish',
				}),
			],
			Result: [820, -80, step('noOp', 1, {})],
			// First the students: who writes a row has read the sales after it.
			'Look Up Students': [820, 100, each(rows('get', 'class_students', [BUYER]))],
			'Look Up Sales': [
				1020,
				160,
				each(
					rows(
						'get',
						'class_sales',
						[['paymentId', 'eq', "={{ $json.paymentId || '-' }}"], BUYER],
						undefined,
						'anyCondition',
					),
				),
			],
			Record: [
				820,
				280,
				rows(
					'upsert',
					'class_sales',
					['paymentId', 'kind', 'email', 'classId'].map((name) => [
						name,
						'eq',
						`={{ $json.${name} }}`,
					]),
					fields({
						...{ paymentId: 'string', kind: 'string', email: 'string', name: 'string' },
						...{ classId: 'string', product: 'string', months: 'number', until: 'dateTime' },
						...{ paidAt: 'dateTime', rowCount: 'number' },
					}),
				),
			],
			Open: [
				1020,
				340,
				rows(
					'upsert',
					'class_students',
					[
						['email', 'eq', '={{ $json.email }}'],
						['classId', 'eq', '={{ $json.classId }}'],
					],
					fields({ email: 'string', classId: 'string', name: 'string' }),
				),
			],
			Note: [
				1220,
				280,
				always(
					rows(
						'update',
						'class_students',
						[
							['id', 'eq', '={{ $json.id }}'],
							// Only if nobody has written it meanwhile.
							['changedBy', 'eq', '={{ $json.seen }}'],
						],
						STUDENT,
					),
				),
			],
			'Add to Class': [
				1420,
				100,
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
				1420,
				280,
				enrollment('removeFromClass', { classId, email: '={{ $json.email }}' }, goOn),
			],
			'Send Magic Link': [
				1420,
				460,
				enrollment('sendMagicLink', { email: '={{ $json.email }}', redirectUrl: '' }, goOn),
			],
			'Count Students': [
				1220,
				460,
				{ ...each(rows('get', 'class_students', [['end', 'isNotEmpty', '']])), executeOnce: true },
			],
			Finish: [
				1020,
				520,
				always(
					rows(
						'update',
						'class_sales',
						[['id', 'eq', '={{ $json.id }}']],
						fields({ doneAt: 'dateTime', problem: 'string' }),
					),
				),
			],
			'Create Sales Table': [
				0,
				440,
				table('class_sales', {
					...{ paymentId: 'string', kind: 'string', email: 'string', name: 'string' },
					...{ classId: 'string', product: 'string', months: 'number', until: 'date' },
					...{ paidAt: 'date', rowCount: 'number', doneAt: 'date', problem: 'string' },
				}),
			],
			'Create Student Table': [
				200,
				440,
				table('class_students', {
					...{ email: 'string', name: 'string', classId: 'string', end: 'date' },
					...{ problem: 'string', checkAt: 'date', acting: 'string', openedAt: 'date' },
					...{ linkClaimedAt: 'date', linkSentAt: 'date', changedBy: 'string' },
				}),
			],
			'Create Product Table': [
				400,
				440,
				table('class_products', {
					product: 'string',
					className: 'string',
					months: 'number',
					classId: 'string',
				}),
			],
			'List Classes': [
				0,
				620,
				always({
					...enrollment('getAll', {}),
					parameters: {
						resource: 'class',
						operation: 'getAll',
						returnAll: true,
						filters: {},
						options: {},
					},
				}),
			],
			'Enter Classes': [
				200,
				620,
				rows('upsert', 'class_products', [['classId', 'eq', "={{ $json.id ?? '-' }}"]], {
					classId: ['string', "={{ $json.id ?? '-' }}"],
					className: ['string', "={{ $json.name ?? '' }}"],
				}),
			],
			'Open Sales': [
				400,
				620,
				firstRows(150, 'createdAt', rows('get', 'class_sales', [['doneAt', 'isEmpty', '']])),
			],
			'Due Students': [
				600,
				620,
				firstRows(
					150,
					'checkAt',
					rows('get', 'class_students', [['checkAt', 'lt', '={{ $now }}']]),
				),
			],
		},
		[
			'Sale > Get Products > Plan > What Is Next?',
			'What Is Next?#0 > Result',
			'What Is Next?#1 > Look Up Students',
			'What Is Next?#1 > Look Up Sales > Plan',
			'What Is Next?#2 > Record > Plan',
			'What Is Next?#3 > Open > Plan',
			'What Is Next?#4 > Note > Plan',
			'What Is Next?#5 > Add to Class > Plan',
			'What Is Next?#6 > Remove From Class > Plan',
			'What Is Next?#7 > Send Magic Link > Plan',
			'What Is Next?#8 > Count Students > Plan',
			'What Is Next?#9 > Finish > Plan',
			'Every Night > Create Sales Table > Create Student Table > Create Product Table > List Classes',
			'List Classes > Enter Classes > Open Sales > Due Students > Get Products',
		],
	);
}
