import type { Request } from 'express';
import identity from 'lodash/identity';
import omit from 'lodash/omit';
import type { ClassStore, Student } from './classStore';
import { Refusal } from './refusal';
import type { Temper } from './temper';

export interface MagicLink {
	email: string;
	redirectUrl?: string;
}

/** What the operations read and change. */
export interface ServiceData {
	classes: ClassStore;
	magicLinks: MagicLink[];
}

/** Carries out a request that matches the contract, and returns the body of the response. */
export type Operation = (request: Request<{ id: string }>, temper: Temper) => object;

interface Route {
	method: 'get' | 'post' | 'delete';
	path: string;
	operation: Operation;
}

interface SeveralClasses {
	classes: Array<{ id: string }>;
}

const DEFAULT_PAGE_SIZE = 10;
/** Administrative accounts, which get no magic link. */
const ADMINISTRATORS = ['admin@example.com'];

const idsOf = ({ classes }: SeveralClasses) => classes.map(({ id }) => id);

const keyOf = ({ distinguishesCase }: Temper) => (distinguishesCase ? identity<string> : undefined);

/** Refuses these addresses, in upper or lower case. */
function checkEmail(
	email: string,
	rejected: string[] = [],
	reason = `Email not accepted: ${email}`,
) {
	const isSame = (other: string) => other.toLowerCase() === email.toLowerCase();
	if (rejected.some(isSame)) throw new Refusal(reason);
}

/** The operations of the service, each with its method and its path below `/v1`. */
export function createRoutes({ classes, magicLinks }: ServiceData): Route[] {
	const listClasses: Operation = ({ query }, temper) => {
		const firstPage = temper.firstPage ?? 1;
		const index = Number(query.page ?? firstPage) - firstPage;
		const asked = Number(query.pageSize ?? DEFAULT_PAGE_SIZE);
		if (query.pageSize && asked < (temper.minPageSize ?? 1)) throw new Refusal('Page too small');
		const pageSize = Math.min(asked, temper.maxPageSize ?? Infinity);
		const start = index * pageSize;

		const contained = String(query.query ?? '').toLowerCase();
		const all = classes.listClasses();
		const found = all.filter(({ name }) => name.toLowerCase().includes(contained));
		const onPage = index < 0 ? [] : found.slice(start, start + pageSize);
		const data = onPage.map((found) => omit(found, 'students'));
		return { data, totalRecords: found.length };
	};

	function enroll(ids: string[], students: Student[], temper: Temper): object {
		const { maxStudents = Infinity, rejectEmails, refuseEnrolled, isOneByOne } = temper;
		if (students.length > maxStudents) throw new Refusal('Too many students');
		for (const student of students) {
			const { email } = student;
			checkEmail(email, rejectEmails);
			for (const id of ids) {
				const isEnrolled = classes.isIn(id, email, keyOf(temper));
				if (isEnrolled && refuseEnrolled) throw new Refusal(`Already enrolled: ${email}`);
				if (isOneByOne) classes.enroll([id], [student], keyOf(temper));
			}
		}
		if (!isOneByOne) classes.enroll(ids, students, keyOf(temper));
		return {};
	}

	function remove(ids: string[], { email }: Student, temper: Temper): object {
		const { rejectEmails, isOneByOne } = temper;
		checkEmail(email, rejectEmails);
		for (const some of isOneByOne ? ids.map((id) => [id]) : [ids]) {
			classes.remove(some, email, keyOf(temper));
		}
		return {};
	}

	const addToClass: Operation = ({ params, body }, temper) =>
		enroll([params.id], [body as Student], temper);

	const addToClasses: Operation = ({ body }, temper) => {
		const { classes: references, ...student } = body as SeveralClasses & Student;
		return enroll(idsOf({ classes: references }), [student], temper);
	};

	const addManyToClass: Operation = ({ params, body }, temper) =>
		enroll([params.id], (body as { students: Student[] }).students, temper);

	const removeFromClass: Operation = ({ params, body }, temper) =>
		remove([params.id], body as Student, temper);

	const removeFromClasses: Operation = ({ body }, temper) =>
		remove(idsOf(body as SeveralClasses), body as Student, temper);

	const sendMagicLink: Operation = ({ body }, { rejectEmails }) => {
		const link = body as MagicLink;
		checkEmail(link.email, rejectEmails);
		const reason = 'A magic link cannot be created for an administrative account';
		checkEmail(link.email, ADMINISTRATORS, reason);
		magicLinks.push(link);
		return {};
	};

	return [
		{ method: 'get', path: '/classe', operation: listClasses },
		{ method: 'post', path: '/classe/add-student', operation: addToClasses },
		{ method: 'post', path: '/classe/:id/add-student', operation: addToClass },
		{ method: 'post', path: '/classe/:id/add-students', operation: addManyToClass },
		{ method: 'delete', path: '/classe/remove-student', operation: removeFromClasses },
		{ method: 'delete', path: '/classe/:id/remove-student', operation: removeFromClass },
		{ method: 'post', path: '/magic-link', operation: sendMagicLink },
	];
}
