import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { RequestRecord, Student } from '../service/service';
import { byId, PYTHON, RUST } from './operations';

/** What is to be done about one student. */
export interface Row extends IDataObject {
	email: string;
	classId: string;
	until?: string;
}

/** Reads rows such as "x 2027 Rust, y": the student, until when, and the class, if it is not Python. */
export function rowsIn(text: string): Row[] {
	return text.split(', ').map((row) => {
		const [name, ...words] = row.split(' ');
		const year = words.find((word) => /^\d+$/.test(word));
		return {
			email: `${name}@example.com`,
			classId: words.includes(RUST.name) ? RUST.id : PYTHON.id,
			...(year === undefined ? {} : { until: `${year}-01-31T12:00:00.000Z` }),
		};
	});
}

function textOf({ email, expirationDate }: Student, classIds: unknown[]): string {
	const [name] = email.toLowerCase().split('@');
	const rust = classIds.includes(RUST.id) ? RUST.name : undefined;
	return [name, expirationDate?.slice(0, 4), rust].filter(Boolean).join(' ');
}

/** What a request says, in the same words. */
export function changesIn({ path, body }: RequestRecord): string[] {
	const { students, classes, ...student } = body as Student & {
		students?: Student[];
		classes?: Array<{ id: string }>;
	};
	const classIds = classes?.map(({ id }) => id) ?? path.split('/');
	return (students ?? [student]).map((one) => textOf(one, classIds));
}

/** What an output item says, in the same words. */
export function claimIn({ classId, classIds, ...student }: IDataObject): string {
	return textOf(student as unknown as Student, [classId, classIds].flat());
}

const ofItem = (values: Array<string | undefined>) =>
	`={{ ${JSON.stringify(values)}[$itemIndex] }}`;

/** The parameters that say so for each item. Add Many takes the address from the item. */
export function parametersFor(rows: Row[]): INodeParameters {
	const classIds = ofItem(rows.map(({ classId }) => classId));
	return {
		email: ofItem(rows.map(({ email }) => email)),
		classId: byId(classIds),
		classIds,
		accessExpiration: rows[0]?.until ? 'date' : 'none',
		expirationDate: ofItem(rows.map(({ until }) => until)),
	};
}

/** The parameters that say so in JSON; all students are in one class. */
export function jsonParametersFor(rows: Row[]): INodeParameters {
	const students = rows.map(({ email, until }) => ({ email, expirationDate: until }));
	return {
		classId: byId(rows[0]?.classId ?? PYTHON.id),
		studentsFrom: 'json',
		studentsJson: JSON.stringify(students),
	};
}
