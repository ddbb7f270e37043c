import { DateTime } from 'luxon';

import { GIVE } from './form';
import type { Task } from './readForm';

/** What the node Class Enrollment says of a request. */
export interface Answer {
	success?: boolean;
	deleted?: boolean;
	error?: string;
	outcome?: string;
}

export interface Answers {
	added?: Answer;
	removed?: Answer;
	sent?: Answer;
}

/** The last page of the form. */
export interface Page {
	title: string;
	message: string;
}

/** Says in words what happened. What wasn't requested is missing in `answers`. */
export function describeResult(task: Task, { added, removed, sent }: Answers): Page {
	const { action, email, oldEmail, className, until, problem } = task;
	if (problem) return { title: 'Nothing was done', message: problem };
	if (sent)
		return describe(
			sent,
			'sent',
			`A magic link is on its way to ${email}. It works for 24 hours.`,
			email,
		);
	if (!added)
		return describe(removed, 'removed', `${email} no longer has access to ${className}.`, email);
	const day = DateTime.fromISO(until).toFormat('d MMMM yyyy');
	const access = `${email} has access to ${className} until the end of ${day}.`;
	const addition = describe(added, 'added', access, email);
	if (action === GIVE) return addition;
	if (!isDone(added))
		return { ...addition, message: `${addition.message} ${oldEmail} wasn't touched.` };
	if (removed && isDone(removed))
		return { title: 'Corrected', message: `${access} ${oldEmail} no longer has access to it.` };
	const left = describe(removed, 'removed', '', oldEmail);
	return {
		title: `Half done: the old address is ${left.title.toLowerCase()}`,
		message: `${access} But ${oldEmail}: ${left.message}`,
	};
}

const isDone = ({ success, deleted }: Answer) => success === true || deleted === true;

/** An answer in the words of the node. A node that breaks as a whole gives none. */
function describe(answer: Answer = {}, participle: string, done: string, email: string): Page {
	if (isDone(answer)) return { title: upperFirst(participle), message: done };
	const titles: Record<string, string> = {
		rejected: 'Rejected',
		notProcessed: `Not ${participle}`,
	};
	const message = (answer.error ?? 'There was no answer. See Executions in n8n.')
		.replace(`${email}: `, '')
		.replace(/ \[item \d+\]/, '');
	return {
		title: titles[answer.outcome ?? ''] ?? `Unknown if ${participle}`,
		message: upperFirst(message),
	};
}

const upperFirst = (text: string) => text.slice(0, 1).toUpperCase() + text.slice(1);
