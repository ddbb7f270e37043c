// The Code node: it reads what n8n knows, plans, and says what to do next. Nothing else knows of n8n.
import { failure } from '../codeNodes/failure';
import { jsonOf, type Json, type Node } from '../codeNodes/n8n';
import { plan } from './plan';
import type { State } from './state';
import { readProduct } from './tables/products';
import { readRow, toItem } from './tables/rows';
import { readCall, readSale } from './tables/sales';
import { BUYER_COLUMNS, STUDENT_COLUMNS } from './types';

/** With the name itself in each call: n8n reads the code to know which nodes' data it needs, and otherwise sends all. */
declare const $: (name: string) => Node;
declare const $input: Pick<Node, 'all'>;
declare const $execution: { id: string; mode: string };
declare const $runIndex: number;

/** The items that a node has output last. Where it found nothing, n8n goes on with an empty one. */
const items = (node: Node): Json[] => (node.isExecuted ? jsonOf(node) : []);
const rows = (node: Node): Json[] =>
	items(node).filter(({ id }) => id !== undefined && id !== null);

const calls = items($('Sale'));
const isCall = calls.length > 0;
/** As it was planned last. */
const state = $runIndex === 0 ? undefined : (items($('Plan'))[0]!.state as State);
const planned = plan({
	now: Date.now(),
	executionId: String($execution.id),
	calls: calls.map(readCall),
	isByHand: !isCall && $execution.mode === 'test',
	products: rows($('Get Products')).map(readProduct),
	...(!isCall && { listedClasses: rows($('List Classes')).map(({ id }) => String(id)) }),
	dueStudents: rows($('Due Students')).map((row) => readRow(STUDENT_COLUMNS, row)),
	buyerRowsBefore: rows($('Open Buyer')).map((row) => readRow(BUYER_COLUMNS, row)),
	buyerRows: rows($('Locked')).map((row) => readRow(BUYER_COLUMNS, row)),
	students: rows($('Look Up Students')).map((row) => readRow(STUDENT_COLUMNS, row)),
	sales: [$('Look Up Sales'), $('Look Up Payments'), $('Look Up Endings')]
		.flatMap(rows)
		.map(readSale),
	openSales: rows($('Open Sales')).map(readSale),
	answers: Array.from($input.all(), ({ json }) => json),
	accessCount: rows($('Count Students')).length,
	...(state && { state }),
});

const [first, ...others] = planned.steps;
// A failure ends the execution here, so that nobody misses it, unless the caller shows it, as shops do.
if (first?.next === 'done' && first.result === 'failed' && calls[0]?.returnFailure !== true)
	throw failure(first.reason ?? '');
const isDone = first?.next === 'done';
export const output = [
	{ ...toItem(first!), ...(!isDone && { state: planned.state }) },
	...others.map(toItem),
];
