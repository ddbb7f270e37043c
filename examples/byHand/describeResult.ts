import { DateTime } from 'luxon';

import type { Answer } from '../codeNodes/answer';
import { END, GIVE, LINK } from './form';
import type { Task } from './readForm';

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
	const { action, email, oldEmail, name, className, until, problem } = task;
	if (problem) return { title: 'Nothing was done', message: problem };
	if (sent)
		return describe(
			sent,
			'sent',
			// The learning platform may accept addresses of nobody, too.
			`If a student has the address ${email}, a magic link is on its way. It works for 24 hours.`,
			email,
		);
	if (!added)
		return describe(removed, 'removed', `${email} no longer has access to ${className}.`, email);
	const day = DateTime.fromISO(until);
	const end = day.year < 9999 ? `until the end of ${day.toFormat('d MMMM yyyy')}` : 'for ever';
	const access = `${email} has access to ${className} ${end}.`;
	const addition = describe(added, 'added', access, email);
	const hints = [...(name === '' ? [NO_NAME] : []), NO_LINK].join(' ');
	if (action === GIVE && isDone(added)) return { ...addition, message: `${access} ${hints}` };
	if (action === GIVE) return addition;
	if (!isDone(added))
		return { ...addition, message: `${addition.message} ${oldEmail} wasn't touched.` };
	if (removed && isDone(removed))
		return {
			title: 'Corrected',
			message: `${access} ${oldEmail} no longer has access to it. ${hints}`,
		};
	const left = describe(removed, 'removed', '', oldEmail);
	return {
		title: `Half done: the old address is ${left.title.toLowerCase()}`,
		message: `${access} But ${oldEmail}: ${left.message} ${adviceFor(task, removed)}`,
	};
}

/** What to say after an addition, if the name was left blank. */
export const NO_NAME = 'No name was given: a new student has none.';
const NO_LINK = `No magic link was sent. To send one, choose "${LINK}".`;

/** What to do when the new address was added, and the old one not removed. */
function adviceFor({ email, oldEmail, className }: Task, { outcome }: Answer = {}): string {
	if (outcome === 'notProcessed') return `Choose "${END}" for ${oldEmail} later.`;
	if (outcome === 'rejected')
		return `Look in your learning platform. If the class or the old address is wrong, choose "${END}" for ${email} in ${className}, unless they were in it before, and begin again. Otherwise, choose "${END}" for ${oldEmail} later.`;
	return `Look in your learning platform. If ${oldEmail} is still in ${className}, choose "${END}" for it.`;
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
