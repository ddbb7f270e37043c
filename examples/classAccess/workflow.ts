import mapValues from 'lodash/mapValues';

import type { Workflow } from '../../test/n8n/workflows';
import {
	compiled,
	enrollment,
	fields,
	firstRows,
	note,
	rows,
	step,
	switchOn,
	table,
	workflow,
	type Step,
} from '../canvas/nodes';
import { PART } from './brake';
import { compile } from '../codeNodes/compile';
import type { Step as PlannedStep } from './state';
import {
	BUYER_COLUMNS,
	LEASE,
	PRODUCT_COLUMNS,
	SALE,
	SALE_COLUMNS,
	STUDENT_COLUMNS,
} from './types';

export const CLASS_ACCESS = 'Class access';
/** Its workflow ID, if it is imported by the link in a shop's sticky note. So nobody has to choose it. */
export const CLASS_ACCESS_ID = 'class-access-1';

const GUIDE = `## Add and remove students for all your shops
It makes your learning platform agree with what is paid.

### How it works
Your shops' workflows add a row to the data table \`class_sales\` for each payment and refund, and call this workflow. For each buyer, it

1. **locks** the buyer, so that no other execution works for them;
2. **compares** what is paid with what the platform was told, and **asks** for the difference;
3. **notes** in \`class_students\` what the platform was told;
4. **unlocks** the buyer, and looks once more.

*Every Hour* does the same for everybody whose access has ended, or whose work failed.

### Setup
1. Double-click **List Classes**, and select *Connect to Class Enrollment*, unless a credential is chosen.
2. Select *Execute workflow*. It creates the data tables and enters your classes. It removes nobody whose access has ended, but says who would be. Don't call another table *class_sales_old* or the like: n8n confuses tables if one name contains the other.
3. Select **Publish**.
4. [Open Data tables](/home/datatables) **> class_products**, and enter your products. Codes in a cell are divided by commas (press *End* before you add one). What isn't a class needs a row with \`-\` as \`classId\`.
5. Go back to your shop's workflow.

### By hand
Add a row to \`class_sales\`, then select *Execute workflow*. Its \`kind\` is **given** (\`email\`, \`classId\`, and \`months\` or \`until\`), **ended** (\`email\`, \`classId\`), **moved** (\`paymentId\`, the new \`email\`), **refunded** (\`paymentId\`), or **allow**.`;

const white = (width: number, height: number, title: string, text: string): Step =>
	note(width, height, `### ${title}\n${text}`, { color: 7 });

const VALUES = Object.entries(SALE).map(([name, type]) => ({ name, type }));
const classId = { __rl: true, mode: 'id', value: '={{ $json.classId }}' };
const goOn = { onError: 'continueRegularOutput' };
const EXECUTION = '={{ $execution.id }}';
/** What n8n's nodes call the types of columns. */
const typed = (columns: Record<string, string>) =>
	fields(mapValues(columns, (type) => (type === 'date' ? 'dateTime' : type)));
/** It may find nothing, and n8n goes on only with an item. */
const withOutput = (node: Step): Step => ({ ...node, alwaysOutputData: true });
/** More than 1,000 rows can't be read while others are added. */
const withRetries = (node: Step): Step => ({
	...node,
	retryOnFail: true,
	maxTries: 5,
	waitBetweenTries: 1000,
});
/** For each item. */
const lookUp = (node: Step): Step => withRetries({ ...node, executeOnce: false });
const emailIs = (email: string): [string, string, string] => [
	'email',
	'eq',
	`={{ ${email} || '-' }}`,
];
const EMAIL = emailIs('$json.email');
/**
 * Rows by hand may have capitals, or blanks around the address. Plan leaves out those that only contain it. (n8n adds the %
 * itself, but not to an address that has one.) Without an address, it finds none: a hyphen is in many.
 */
const emailAsTyped = (email: string): [string, string, string] => [
	'email',
	'ilike',
	`=%{{ ${email} || '(no address)' }}%`,
];
/** The address of a row of `class_buyers`. Whom another execution has locked, that one looks up. */
const IF_LOCKED = "($json.lockedBy === $execution.id ? $json.email : '')";
/**
 * The condition of the update that locks a row: `lockedBy` must still be what was just read. If somebody else holds the row,
 * and their lease lasts, it is compared with `-`, which no row has. One that ends hours ahead was written by a clock that was wrong.
 */
const IF_FREE =
	"={{ !$json.lockedBy || new Date($json.lockedUntil) < $now || new Date($json.lockedUntil) > $now.plus({ hours: 1 }) ? $json.lockedBy : '-' }}";
const UNTIL = `={{ $now.plus({ minutes: ${LEASE / 60_000} }).toISO() }}`;

/** The outputs of What Is Next?, by the step that they carry out: from the top of the canvas to its end. */
const OUTPUTS = [
	// First, since n8n returns to the caller what the first output of the last node gets.
	'done',
	'due',
	'wait',
	'lock',
	'find',
	'add',
	'remove',
	'link',
	'note',
	'finish',
	'unlock',
] satisfies Array<PlannedStep['next']>;
/** Where a chain of nodes begins that carries out a step. */
const output = (next: (typeof OUTPUTS)[number]): string => `What Is Next?#${OUTPUTS.indexOf(next)}`;

/** What all shops share: the tables, the plan, and what is done every hour. */
export function classAccess(): Workflow {
	return workflow(
		`${CLASS_ACCESS} 1.0`,
		{
			'How It Works': [-540, -420, note(480, 800, GUIDE)],
			'About the Hour': [
				0,
				-420,
				white(820, 100, 'Every hour', 'The tables, the classes, and who is due: the oldest first.'),
			],
			'Every Hour': [
				0,
				-310,
				step('scheduleTrigger', 1.2, { rule: { interval: [{ field: 'hours' }] } }),
			],
			'Create Sales Table': [165, -310, table('class_sales', SALE_COLUMNS)],
			'Create Student Table': [330, -310, table('class_students', STUDENT_COLUMNS)],
			'Create Buyer Table': [495, -310, table('class_buyers', BUYER_COLUMNS)],
			'Create Product Table': [660, -310, table('class_products', PRODUCT_COLUMNS)],
			'List Classes': [
				0,
				-140,
				withOutput({
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
				165,
				-140,
				rows('upsert', 'class_products', [['classId', 'eq', "={{ $json.id ?? '-' }}"]], {
					classId: ['string', "={{ $json.id ?? '-' }}"],
					className: ['string', "={{ $json.name ?? '' }}"],
				}),
			],
			'Due Students': [
				330,
				-140,
				withRetries(rows('get', 'class_students', [['checkAt', 'lt', '={{ $now.toISO() }}']])),
			],
			// Only whether those who are due are too large a part of all.
			'Count Students': [
				495,
				-140,
				withRetries(
					firstRows(
						`={{ Math.ceil($('Due Students').all().length / ${PART}) }}`,
						'createdAt',
						rows('get', 'class_students', [['inClass', 'isTrue', '']]),
					),
				),
			],
			'About the Plan': [
				0,
				50,
				white(820, 100, 'Plan', 'Says what is next, until there is nothing left.'),
			],
			Sale: [0, 170, step('executeWorkflowTrigger', 1.1, { workflowInputs: { values: VALUES } })],
			'Get Products': [165, 170, rows('get', 'class_products', [])],
			Plan: [330, 170, compiled(compile('classAccess/plan.n8n'))],
			'What Is Next?': [580, 170, switchOn(OUTPUTS)],
			'About the Lock': [
				880,
				-420,
				white(
					820,
					100,
					'1. Lock the buyer',
					'For ten minutes. Who finds them locked waits, and then leaves the sale to the other execution.',
				),
			],
			'Wait a Moment': [
				880,
				-310,
				step('wait', 1.1, {
					resume: 'timeInterval',
					amount: '={{ 1.5 + Math.random() }}',
					unit: 'seconds',
				}),
			],
			'Open Buyer': [
				1045,
				-310,
				rows('upsert', 'class_buyers', [EMAIL], { email: ['string', '={{ $json.email }}'] }),
			],
			Lock: [
				1210,
				-310,
				rows(
					'update',
					'class_buyers',
					[
						['id', 'eq', '={{ $json.id }}'],
						['lockedBy', 'eq', IF_FREE],
					],
					{
						lockedBy: ['string', EXECUTION],
						lockedUntil: ['dateTime', UNTIL],
					},
				),
			],
			Locked: [1375, -300, lookUp(rows('get', 'class_buyers', [EMAIL]))],
			'About the Tables': [
				880,
				-140,
				white(820, 100, '2. Compare', 'What is paid, and what the learning platform was told.'),
			],
			'Look Up Students': [880, -20, lookUp(rows('get', 'class_students', [emailIs(IF_LOCKED)]))],
			'Look Up Sales': [
				1045,
				-10,
				lookUp(
					rows(
						'get',
						'class_sales',
						[emailAsTyped(IF_LOCKED), ['id', 'eq', '={{ $json.saleId ?? 0 }}']],
						undefined,
						'anyCondition',
					),
				),
			],
			// A refund may not say whose it is, and a payment may have moved to another address.
			'Look Up Payments': [
				1210,
				-10,
				lookUp(
					rows('get', 'class_sales', [
						['paymentId', 'eq', "={{ $json.paymentId?.trim() || '-' }}"],
					]),
				),
			],
			// A payment that has moved: what an owner has ended at its former address stays ended.
			'Look Up Endings': [
				1375,
				-10,
				lookUp(
					rows('get', 'class_sales', [emailAsTyped('$json.email'), ['kind', 'ilike', 'ended']]),
				),
			],
			'About Asking': [
				880,
				160,
				white(
					820,
					100,
					'3. Ask the learning platform',
					'Additions first, then removals, then links.',
				),
			],
			'Add to Class': [
				880,
				280,
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
				1090,
				280,
				enrollment('removeFromClass', { classId, email: '={{ $json.email }}' }, goOn),
			],
			'Send Magic Link': [
				1300,
				280,
				enrollment('sendMagicLink', { email: '={{ $json.email }}', redirectUrl: '' }, goOn),
			],
			'About Writing': [
				880,
				450,
				white(
					820,
					100,
					'4. Write down, unlock, look once more',
					'Also at what others have left behind for ten minutes.',
				),
			],
			'Note Student': [
				880,
				560,
				rows(
					'upsert',
					'class_students',
					[
						['email', 'eq', '={{ $json.email }}'],
						['classId', 'eq', '={{ $json.classId }}'],
					],
					typed(STUDENT_COLUMNS),
				),
			],
			'Finish Sale': [
				1045,
				570,
				rows(
					'update',
					'class_sales',
					[['id', 'eq', '={{ $json.id }}']],
					typed({
						email: 'string',
						paymentId: 'string',
						classes: 'string',
						doneAt: 'date',
						problem: 'string',
					}),
				),
			],
			Unlock: [
				1210,
				580,
				withOutput(
					rows('update', 'class_buyers', [EMAIL, ['lockedBy', 'eq', EXECUTION]], {
						lockedBy: ['string', '={{ null }}'],
						linkedAt: ['dateTime', '={{ $json.linkedAt }}'],
						linkUnknownAt: ['dateTime', '={{ $json.linkUnknownAt }}'],
					}),
				),
			],
			'Open Sales': [
				1375,
				590,
				withRetries(
					firstRows(1000, 'createdAt', rows('get', 'class_sales', [['doneAt', 'isEmpty', '']])),
				),
			],
		},
		[
			'Sale > Get Products > Plan > What Is Next?',
			'Every Hour > Create Sales Table > Create Student Table > Create Buyer Table > Create Product Table',
			'Create Product Table > List Classes > Enter Classes > Get Products',
			`${output('due')} > Due Students > Count Students > Open Sales > Plan`,
			`${output('find')} > Look Up Sales`,
			`${output('lock')} > Open Buyer > Lock`,
			`${output('lock')} > Locked`,
			`${output('wait')} > Wait a Moment > Open Buyer`,
			'Wait a Moment > Locked',
			'Locked > Look Up Students',
			'Locked > Look Up Sales > Look Up Payments > Look Up Endings > Plan',
			`${output('add')} > Add to Class > Plan`,
			`${output('remove')} > Remove From Class > Plan`,
			`${output('link')} > Send Magic Link > Plan`,
			`${output('note')} > Note Student`,
			`${output('finish')} > Finish Sale`,
			`${output('unlock')} > Unlock > Open Sales`,
		],
	);
}
