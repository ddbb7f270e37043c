// The Code node: it reads what n8n knows, plans, and says what to do next.
import { next } from './codeNode';

interface Node {
	isExecuted: boolean;
	all(output?: number, run?: number): Array<{ json: Record<string, unknown> }>;
}
declare const $: (name: string) => Node;
declare const $execution: { id: string; mode: string };
declare const $runIndex: number;

const json = (items: Array<{ json: Record<string, unknown> }>) =>
	Array.from(items, (item) => item.json);
const isNight = !$('Sale').isExecuted;

export const output = next({
	now: Date.now(),
	me: String($execution.id),
	isByHand: isNight && $execution.mode === 'test',
	sales: isNight ? [] : json($('Sale').all(0, 0)),
	products: json($('Get Products').all(0, 0)),
	...(isNight && { listed: json($('List Classes').all(0, 0)) }),
	openSales: isNight ? json($('Open Sales').all(0, 0)) : [],
	due: isNight ? json($('Due Students').all(0, 0)) : [],
	steps: Array.from({ length: $runIndex }, (_, run) => json($('Plan').all(0, run))),
	runs: {
		students: (run) => json($('Look Up Students').all(0, run)),
		sales: (run) => json($('Look Up Sales').all(0, run)),
		noted: (run) => json($('Note').all(0, run)),
		added: (run) => json($('Add to Class').all(0, run)),
		removed: (run) => json($('Remove From Class').all(0, run)),
		sent: (run) => json($('Send Magic Link').all(0, run)),
		counted: (run) => json($('Count Students').all(0, run)),
	},
});
