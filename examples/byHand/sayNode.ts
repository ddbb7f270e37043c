// The Code node that says what happened.
import { describeResult, type Answer } from './describeResult';
import type { Task } from './readForm';

interface Node {
	isExecuted: boolean;
	first(): { json: object };
}
declare const $: (name: string) => Node;

const answerOf = (node: Node) => (node.isExecuted ? (node.first().json as Answer) : undefined);

export const output = [
	describeResult($('What Is Asked').first().json as Task, {
		added: answerOf($('Add to Class')),
		removed: answerOf($('Remove From Class')),
		sent: answerOf($('Send Magic Link')),
	}),
];
