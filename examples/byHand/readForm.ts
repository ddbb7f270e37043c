import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { readLastDay } from '../reading/dates';
import { readText } from '../reading/text';
import {
	CLASS,
	CLASS_ID,
	CORRECT,
	END,
	GIVE,
	LINK,
	NAME,
	NEW_EMAIL,
	optionOf,
	UNTIL,
	type Class,
} from './form';

type Answers = Record<string, unknown>;

/** What the form asks for, checked. */
export interface Task {
	next: 'add' | 'remove' | 'link' | 'stop';
	/** One of the form's actions. */
	action: string;
	/** Who gets access, or the link, or loses access. */
	email: string;
	/** The address that is corrected. Empty otherwise. */
	oldEmail: string;
	name: string;
	classId: string;
	className: string;
	/** The end of access, in ISO 8601. Empty if there is none. */
	until: string;
	/** Why nothing is done, if `next` is `stop`. */
	problem: string;
}

/**
 * Reads both pages of the form.
 * @param first the answers of the first page
 * @param second those of the second one
 * @param now milliseconds since 1970
 * @param hasBook whether the book of sales of Class access knows what the old address has paid
 */
export function readForm(
	first: Answers,
	second: Answers,
	classes: Class[],
	now: number,
	hasBook = false,
): Task {
	const action = readText(first['What to do'], 'What to do');
	const task: Task = {
		next: NEXT[action] ?? 'stop',
		action,
		email: readText(first.Email, 'Email'),
		oldEmail: '',
		name: readText(second[NAME], NAME),
		classId: '',
		className: '',
		until: '',
		problem: '',
	};
	try {
		// After an hour without the button, n8n goes on with what came into the page.
		if (second.submittedAt === undefined)
			throw new Error('The page was left for more than an hour. Begin again.');
		const isKnown = action === LINK || (action === CORRECT && hasBook);
		if (!isKnown) Object.assign(task, readClass(second, classes));
		if (!isKnown && task.next === 'add') task.until = readUntil(second[UNTIL], now);
		if (action === CORRECT) Object.assign(task, readNewAddress(task.email, second[NEW_EMAIL]));
		checkAddress(task.email);
		// In the book of sales, a mistyped one is corrected.
		if (task.oldEmail !== '' && !hasBook) checkAddress(task.oldEmail);
		return task;
	} catch (error) {
		return { ...task, next: 'stop', problem: (error as Error).message };
	}
}

const NEXT: Record<string, Task['next'] | undefined> = {
	[GIVE]: 'add',
	[CORRECT]: 'add',
	[END]: 'remove',
	[LINK]: 'link',
};

function readClass(second: Answers, classes: Class[]): Pick<Task, 'classId' | 'className'> {
	const option = readText(second[CLASS], CLASS);
	const listed = classes.find((each) => readText(optionOf(each), CLASS) === option);
	const classId = listed?.id ?? readText(second[CLASS_ID], CLASS_ID);
	if (classId === '') throw new Error('Choose a class.');
	return { classId, className: listed?.name || classId };
}

function readUntil(value: unknown, now: number): string {
	const moment = readLastDay(value, UNTIL);
	if (!moment) throw new Error('Enter the last day of access.');
	if (moment.time <= now)
		throw new Error(`${moment.text} is over. Choose a day to come, or "${END}".`);
	return new Date(moment.time).toISOString();
}

function checkAddress(email: string): void {
	if (!isAddress(email)) throw new Error(`"${email}" is not an email address.`);
}

function readNewAddress(oldEmail: string, value: unknown): Pick<Task, 'email' | 'oldEmail'> {
	const email = readText(value, NEW_EMAIL);
	// Otherwise, the student would be removed after the addition.
	if (email.toLowerCase() === oldEmail.toLowerCase())
		throw new Error('Both addresses are the same. Upper and lower case make no difference.');
	return { email, oldEmail };
}
