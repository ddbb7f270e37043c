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
			title: 'Added',
			message: `${email} has access to ${className}, and gets a magic link if they weren't in it before.${noName}`,
		},
		removed: { title: 'Removed', message: `${email} no longer has access to ${className}.` },
		ignored: { title: 'Nothing was done', message: reason },
		'already processed': { title: 'Nothing was done', message: 'It was done before.' },
		recorded: {
			title: 'Recorded',
			message: `Another execution works for ${who}. It does this, too, or the next hour does. See class_students.`,
		},
		failed: {
			title: 'Recorded, but something failed',
			message: `${reason} What may work later, Class access tries again every hour. See ${email} in class_sales and class_students.`,
		},
		...(oldEmail && corrections(task, reason)),
	};
	return (
		pages[result] ?? {
			title: 'Recorded',
			message:
				'Class access did not answer. See Executions. If it is published, it does it in the next hour.',
		}
	);
}

/** What is said otherwise of a correction. The new address may have been in the class before, so that nothing was added. */
function corrections({ email, oldEmail }: Task, reason: string): Partial<Record<string, Page>> {
	const corrected = {
		title: 'Corrected',
		message: `${email} has what ${oldEmail} has paid, and ${oldEmail} no longer has it.`,
	};
	return {
		added: corrected,
		'already processed': corrected,
		ignored: {
			title: 'Recorded',
			message: `What ${oldEmail} has paid belongs to ${email}. ${reason}`,
		},
	};
}
