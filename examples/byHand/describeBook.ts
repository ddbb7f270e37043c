import type { Result } from '../classAccess/types';
import { NO_NAME, type Page } from './describeResult';
import type { Task } from './readForm';

/** Says in words what Class access did with what was recorded. */
export function describeBook(task: Task, { result, reason = '' }: Result): Page {
	const { email, oldEmail, name, className } = task;
	const noName = name === '' ? ` ${NO_NAME}` : '';
	const who = oldEmail ? `${oldEmail}, now ${email}` : email;
	const pages: Record<Result['result'], Page> = {
		added: {
			title: oldEmail ? 'Corrected' : 'Added',
			message: oldEmail
				? `${email} has what ${oldEmail} has paid, and ${oldEmail} no longer has it.`
				: `${email} has access to ${className}, and gets a magic link if they weren't in it before.${noName}`,
		},
		removed: { title: 'Removed', message: `${email} no longer has access to ${className}.` },
		ignored: { title: 'Nothing was done', message: reason },
		'already processed': { title: 'Nothing was done', message: 'It was done before.' },
		recorded: {
			title: 'Recorded',
			message: `Another execution works for ${who}. It does this, too, or the next hour does. See class_students.`,
		},
		failed: {
			title: 'Recorded, but not done',
			message: `${reason} What may work later, Class access tries again every hour. See ${email} in class_sales and class_students.`,
		},
	};
	return (
		pages[result] ?? {
			title: 'Recorded',
			message:
				'Class access did not answer. Is it published? See Executions. It does it in the next hour.',
		}
	);
}
