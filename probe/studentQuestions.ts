import { randomUUID } from 'node:crypto';
import { describe, isDone, isRejected, type Answer } from './answer';
import type { Probe, Question } from './question';

const DAY_MS = 24 * 3_600_000;
const RESPONSES = 'transport/response.ts';
const NAME = 'Probe';

const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString();

/** Adds the student to the class until a date. */
async function addUntil({ classroom, settings }: Probe, expirationDate: string): Promise<Answer> {
	const body = { name: NAME, email: settings.email, expirationDate };
	return await classroom.add({ method: 'POST', path: `${classroom.path}/add-student`, body });
}

/** What became of a request after which the class is to count so many. */
async function seeCount({ classroom }: Probe, answer: Answer, expected: number) {
	const count = await classroom.count();
	const seen = `${describe(answer)}; the class counts ${count}`;
	return { seen, isHeld: isDone(answer) && count === expected };
}

/** What became of a request of which a part is wrong. The class was empty before, and is empty after. */
async function seeParts({ classroom }: Probe, answer: Answer) {
	const count = (await classroom.count()) ?? 0;
	if (count > 0 || isDone(answer)) await classroom.remove();
	const part = count > 0 ? 'the rest was added' : 'nothing was added';
	return { seen: `${describe(answer)}; ${part}`, isHeld: isRejected(answer) };
}

const removeAbsent = async ({ classroom }: Probe) => {
	const answer = await classroom.remove();
	return { seen: describe(answer), isHeld: isDone(answer) || isRejected(answer) };
};

/** Questions about the one student, in this order: the class is empty before and after. */
export const STUDENT_QUESTIONS: Question[] = [
	{
		title: 'Removing a student who is not in the class',
		sends: 'DELETE /classe/{id}/remove-student',
		assumption: 'Done, or rejected',
		file: RESPONSES,
		ask: removeAbsent,
	},
	{
		title: 'An unknown class',
		sends: 'DELETE /classe/{id}/remove-student with an ID that no class has',
		assumption: 'Rejected',
		file: RESPONSES,
		ask: async ({ service, settings: { email } }) => {
			const path = `/classe/${randomUUID()}/remove-student`;
			const answer = await service.send({ method: 'DELETE', path, body: { email } });
			return { seen: describe(answer), isHeld: isRejected(answer) };
		},
	},
	{
		title: 'An addition',
		sends: 'POST /classe/{id}/add-student with a date, then GET /classe',
		assumption: 'A success whose body does not say no; the class counts one more',
		file: 'transport/successBody.ts',
		ask: async (probe) => await seeCount(probe, await addUntil(probe, inDays(1)), 1),
	},
	{
		title: 'A second addition, with another date',
		sends: 'POST /classe/{id}/add-student, then GET /classe',
		assumption: 'A success that does not count the student twice',
		file: 'journal/journal.ts',
		ask: async (probe) => await seeCount(probe, await addUntil(probe, inDays(2)), 1),
	},
	{
		title: 'A magic link',
		sends:
			'POST /magic-link: an email to you. Open its link twice: does it sign you in both times?',
		assumption: 'A success whose body does not say no',
		file: 'transport/successBody.ts',
		ask: async ({ service, settings: { email } }) => {
			const answer = await service.send({ method: 'POST', path: '/magic-link', body: { email } });
			return { seen: describe(answer), isHeld: isDone(answer) };
		},
	},
	{
		title: 'A removal',
		sends: 'DELETE /classe/{id}/remove-student, then GET /classe',
		assumption: 'A success whose body does not say no; the class counts one less',
		file: 'transport/successBody.ts',
		ask: async (probe) => await seeCount(probe, await probe.classroom.remove(), 0),
	},
	{
		title: 'A second removal',
		sends: 'DELETE /classe/{id}/remove-student',
		assumption: 'Done, or rejected',
		file: RESPONSES,
		ask: removeAbsent,
	},
	{
		title: 'A batch with a wrong item',
		sends:
			'POST /classe/{id}/add-students with the student twice, once with a wrong date; then GET /classe and, if need be, the removal',
		assumption: 'Rejected, as a whole or in part',
		file: 'operation/send.ts',
		ask: async (probe) => {
			const { classroom, settings } = probe;
			const { email } = settings;
			const students = [
				{ name: NAME, email, expirationDate: inDays(1) },
				{ name: NAME, email, expirationDate: 'not a date' },
			];
			const path = `${classroom.path}/add-students`;
			const answer = await classroom.add({ method: 'POST', path, body: { students } });
			return await seeParts(probe, answer);
		},
	},
	{
		title: 'Several classes, of which one is unknown',
		sends:
			'POST /classe/add-student with an ID that no class has; then GET /classe and, if need be, the removal',
		assumption: 'Rejected, as a whole or in part',
		file: 'transport/outcome.ts',
		ask: async (probe) => {
			const { classroom, settings } = probe;
			const classes = [{ id: settings.classId }, { id: randomUUID() }];
			const body = { name: NAME, email: settings.email, expirationDate: inDays(1), classes };
			const answer = await classroom.add({ method: 'POST', path: '/classe/add-student', body });
			return await seeParts(probe, answer);
		},
	},
];
