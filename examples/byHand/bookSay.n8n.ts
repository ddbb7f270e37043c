// The Code node that says what Class access did.
import type { Result } from '../classAccess/types';
import type { Node } from '../codeNodes/n8n';
import { describeResult } from './describeResult';
import { describeBook } from './describeBook';
import type { Task } from './readForm';

declare const $: (name: string) => Node;

const { task, problem } = $('What to Record').first().json as unknown as {
	task: Task;
	problem?: string;
};
const page = $('Class access').isExecuted
	? describeBook(task, $('Class access').first().json as unknown as Result)
	: describeResult(
			{ ...task, problem: problem ?? '' },
			$('Send Magic Link').isExecuted ? { sent: $('Send Magic Link').first().json } : {},
		);

export const output = [page];
