import isPlainObject from 'lodash/isPlainObject';
import { isDone, objectOf, type Answer } from './answer';
import { Interruption, type Service, type ServiceRequest } from './service';
import type { Settings } from './settings';

export type Class = Record<string, unknown>;

/** The class that the probe changes, and its one student. */
export type Classroom = ReturnType<typeof createClassroom>;

const LARGE_PAGE = 100;
const MOST_PAGES = 20;

/** The classes on a page of the list. */
export function classesOf(answer: Answer): Class[] {
	const { data } = objectOf(answer);
	return Array.isArray(data) ? data.filter((entry): entry is Class => isPlainObject(entry)) : [];
}

/** Creates what looks after the class: it knows whether the student may be in it. */
export function createClassroom(service: Service, { classId, email }: Settings) {
	let mayBeIn = false;
	/** The page of the list on which the class was found last. */
	let place: ServiceRequest['query'];
	const path = `/classe/${encodeURIComponent(classId)}`;
	const removal: ServiceRequest = {
		method: 'DELETE',
		path: `${path}/remove-student`,
		body: { email },
	};

	/** Looks for the class on each page of the list, with the page size of the node, then with that of the service. */
	async function find() {
		const known = place && (await findOn(place)).found;
		return known ?? (await findWith({ pageSize: LARGE_PAGE })) ?? (await findWith({}));
	}

	/** Looks for the class on one page, and remembers where it was found. */
	async function findOn(query: ServiceRequest['query']) {
		const classes = classesOf(await service.send({ method: 'GET', path: '/classe', query }));
		const found = classes.find(({ id }) => String(id) === classId);
		if (found) place = query;
		return { found, classes };
	}

	async function findWith(size: ServiceRequest['query']) {
		const known = new Set<unknown>();
		let query = size;
		for (let page = 1; page <= MOST_PAGES; page++) {
			const { found, classes } = await findOn(query);
			if (found) return found;
			// Page 1 may be the first page again.
			if (page !== 2 && classes.every(({ id }) => known.has(id))) return undefined;
			for (const { id } of classes) known.add(id);
			query = { ...size, page };
		}
		return undefined;
	}

	/** How many students the class has, as the list says; undefined if it is not there. */
	async function count(): Promise<number | undefined> {
		const found = await find();
		return found && Number(found.countStudents);
	}

	/** Sends the removal of the student, whether the student is in the class or not. */
	async function remove(): Promise<Answer> {
		const answer = await service.send(removal);
		if (isDone(answer)) mayBeIn = false;
		return answer;
	}

	return {
		path,
		/** Checks that the class is empty, so that nobody else is in it, not even the student. */
		async checkEmpty(): Promise<void> {
			const students = await count();
			if (students === 0) return;
			throw new Error(
				students === undefined
					? 'The class list contains no class with this ID.'
					: `The class has ${students} students. The probe needs an empty class, so that it can leave the class as it was.`,
			);
		},
		count,
		/** Sends a request that may add the student. */
		async add(request: ServiceRequest): Promise<Answer> {
			mayBeIn = true;
			return await service.send(request);
		},
		remove,
		/** Removes the student if need be. Returns what is left to do by hand. */
		async leave(): Promise<string | undefined> {
			if (mayBeIn) await remove().catch(ignoreInterruption);
			if ((await count().catch(ignoreInterruption)) === 0) return undefined;
			return 'The class may not be empty. Look there, and remove the student.';
		},
	};
}

function ignoreInterruption(error: unknown): undefined {
	if (!(error instanceof Interruption)) throw error;
}
