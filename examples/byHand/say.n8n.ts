// The Code node that says what happened.
import type { Answer } from '../codeNodes/answer';
import type { Node } from '../codeNodes/n8n';
import { describeResult } from './describeResult';
import type { Task } from './readForm';

declare const $: (name: string) => Node;

const answerOf = (node: Node) => (node.isExecuted ? (node.first().json as Answer) : undefined);

export const output = [
	describeResult($('What Is Asked').first().json as unknown as Task, {
		added: answerOf($('Add to Class')),
		removed: answerOf($('Remove From Class')),
		sent: answerOf($('Send Magic Link')),
	}),
];
