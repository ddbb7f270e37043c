// The Code node: it reads what n8n knows, and says what to do next.
import { DateTime } from 'luxon';

import { jsonOf, type Node } from '../codeNodes/n8n';
import { next } from './night';

declare const $: (name: string) => Node;
declare const $execution: { mode: string };

/** The code itself runs again. */
const firstJsonOf = (node: Node) => Array.from(node.all(0, 0), ({ json }) => json);
const isRequested = $('Remove From Class').isExecuted;

export const output = next({
	rows: jsonOf($('Students')),
	now: Date.now(),
	today: DateTime.now().toISODate(),
	isByHand: $execution.mode === 'test',
	requested: isRequested ? (firstJsonOf($('Whose Day Has Come')) as Array<{ email: string }>) : [],
	answers: isRequested ? jsonOf($('Remove From Class')) : [],
	isNoted: $('Note the Day').isExecuted,
});
