import isPlainObject from 'lodash/isPlainObject';
import { setTimeout as sleep } from 'node:timers/promises';
import { isDone, objectOf, type Answer } from './answer';
import { Interruption, NoResponse, type Service, type ServiceRequest } from './service';
import { UsageError, type Settings } from './settings';

export type Class = Record<string, unknown>;

/** The class that the probe changes, and its one student. */
export type Classroom = ReturnType<typeof createClassroom>;

const LARGE_PAGE = 100;
const MOST_PAGES = 20;
/** How often, and after how long, the probe tries to remove the student at the end. */
const TRIES = 3;
const PAUSE_MS = 2000;

/** The classes on a page of the list. */
export function classesOf(answer: Answer): Class[] {
	const { data } = objectOf(answer);
	return Array.isArray(data) ? data.filter((entry): entry is Class => isPlainObject(entry)) : [];
}

/** Creates what looks after the class: it knows whether the student may be in it. */
export function createClassroom(service: Service, { classId, email }: Settings) {
	let mayBeIn = false;
	let wasTouched = false;
	/** The page of the list on which the class was found last. */
	let place: ServiceRequest['query'];
	/** Whether an addition got no response, so that it may take effect later. */
	let isLost = false;
	const path = `/classe/${encodeURIComponent(classId)}`;
	const removal: ServiceRequest = {
		method: 'DELETE',
		path: `${path}/remove-student`,
		body: { email },
	};

	/** Looks for the class on each page of the list, with the page size of the node, then with that of the service. */
	async function find(send: Service['send']) {
		const known = place && (await findOn(place, send)).found;
		return known ?? (await findWith({ pageSize: LARGE_PAGE }, send)) ?? (await findWith({}, send));
	}

	/** Looks for the class on one page, and remembers where it was found. */
	async function findOn(query: ServiceRequest['query'], send: Service['send']) {
		const classes = classesOf(await send({ method: 'GET', path: '/classe', query }));
		const found = classes.find(({ id }) => String(id) === classId);
		if (found) place = query;
		return { found, classes };
	}

	async function findWith(size: ServiceRequest['query'], send: Service['send']) {
		const known = new Set<unknown>();
		let query = size;
		for (let page = 1; page <= MOST_PAGES; page++) {
			const { found, classes } = await findOn(query, send);
			if (found) return found;
			// Page 1 may be the first page again.
			if (page !== 2 && classes.every(({ id }) => known.has(id))) return undefined;
			for (const { id } of classes) known.add(id);
			query = { ...size, page };
		}
		return undefined;
	}

	const countIn = (found?: Class) => (found ? Number(found.countStudents) : undefined);

	/** Sends the removal of the student, whether the student is in the class or not. */
	async function removeBy(send: Service['send']): Promise<Answer> {
		const answer = await send(removal);
		if (isDone(answer)) mayBeIn = false;
		return answer;
	}

	return {
		path,
		/** Checks that the class is empty, so that nobody else is in it, not even the student. */
		async checkEmpty(): Promise<void> {
			const found = await find(service.send);
			if (!found) throw new UsageError('The class list contains no class with this ID.');
			if (countIn(found) === 0) return;
			throw new UsageError(
				`The class has ${String(found.countStudents)} students. The probe needs an empty class, so that it can leave the class as it was.`,
			);
		},
		/** How many students the class has, as the list says; undefined if it is not there. */
		count: async () => countIn(await find(service.send)),
		/** Sends a request that may add the student. */
		async add(request: ServiceRequest): Promise<Answer> {
			mayBeIn = true;
			wasTouched = true;
			return await service.send(request).catch((error: unknown) => {
				isLost = error instanceof NoResponse;
				throw error;
			});
		},
		remove: async () => await removeBy(service.send),
		/** Removes the student if need be, also after the probe was stopped. Returns what is left to do by hand. */
		async leave(): Promise<string | undefined> {
			if (!wasTouched) return undefined;
			const send = service.sendAnyway;
			let count: number | undefined;
			for (let tries = 1; tries <= TRIES; tries++) {
				if (tries > 1) await sleep(PAUSE_MS);
				if (mayBeIn) await removeBy(send).catch(ignoreInterruption);
				count = await find(send).then(countIn, ignoreInterruption);
				// A removal may fail because the student is not in the class.
				if (count === 0) mayBeIn = false;
				if (!mayBeIn) break;
			}
			if (mayBeIn)
				return 'The student could not be removed from the class. Remove the student there.';
			if (isLost) {
				return 'An addition got no response and may still take effect. Look in the class later, and remove the student if need be.';
			}
			if (count === 0) return undefined;
			const left =
				count === undefined ? 'The list does not show it' : `It counts ${count} students`;
			return `The student was removed, but the class should be empty. ${left}. Look in the class.`;
		},
	};
}

function ignoreInterruption(error: unknown): undefined {
	if (!(error instanceof Interruption)) throw error;
}
