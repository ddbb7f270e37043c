import type { IDataObject } from 'n8n-workflow';
import type { RequestRecord, Service, Student } from '../service/service';

/** What is to be there, or is, by class or link, and by student: the year that tells it from others. */
export type Contents = Map<string, number | undefined>;

/** What the node says of a row; `replaced`: that a later item was sent in its place. */
export type Said = 'done' | 'rejected' | 'unknown' | 'not processed' | 'replaced';

/** What a row asks for, or the one that was sent in its place, and what the node says of it. */
export interface Row {
	asks: Contents;
	said: Said;
}

export const keyOf = (classOrLink: string, email: string) =>
	`${classOrLink} ${email.toLowerCase()}`;

/** The year of an enrollment, an output item or a link: in its name, or when access ends. */
export const yearOf = ({
	name,
	expirationDate = '',
}: {
	name?: unknown;
	expirationDate?: unknown;
}) => Number(name ?? String(expirationDate).slice(0, 4));

/** What an item or an error says. */
export function saidBy(error: unknown): Said {
	const text = String(error ?? '');
	if (text === '') return 'done';
	if (/\bunknown\b/i.test(text)) return 'unknown';
	if (/\breplaced\b/i.test(text)) return 'replaced';
	return /\bnot (added|removed|sent)\b/i.test(text) ? 'not processed' : 'rejected';
}

/** What the service holds. */
export function contentsOf({ classes, magicLinks }: Service): Contents {
	const contents: Contents = new Map();
	for (const { id, students } of classes.listClasses()) {
		for (const student of students) contents.set(keyOf(id, student.email), yearOf(student));
	}
	for (const { redirectUrl, email } of magicLinks) contents.set(keyOf(redirectUrl!, email), 0);
	return contents;
}

/** What a request asks for. */
function askedBy({ method, path, body }: RequestRecord): Contents {
	const { students, classes, redirectUrl, ...student } = (body ?? {}) as IDataObject;
	const listed = classes as Array<{ id: string }> | undefined;
	const one = String(redirectUrl ?? decodeURIComponent(path.split('/')[2] ?? ''));
	const ids = listed?.map(({ id }) => id) ?? [one];
	const all = (students ?? [student]) as Student[];
	return new Map(
		ids.flatMap((id) =>
			all.map((one): [string, number | undefined] => [
				keyOf(id, one.email),
				method === 'DELETE' ? undefined : yearOf(one),
			]),
		),
	);
}

/** Expects that the service holds what the rows, in their order, say that it has been made to hold, and else what it held. */
export function expectTrueClaims(
	before: Contents,
	after: Contents,
	requests: RequestRecord[],
	rows: Row[],
): void {
	const possible = new Map<string, Array<number | undefined>>();
	for (const { asks, said } of rows) {
		for (const [key, value] of asks) {
			const others = possible.get(key) ?? [before.get(key)];
			// Before it stood alone, it may have been in a request that was refused because of another part.
			const last = requestsFor(asks, requests).at(-1);
			const isAlone = !last || askedBy(last).size === asks.size;
			const inCompany =
				isAlone && requests.map(askedBy).some((asked) => asked.has(key) && asked.size > asks.size);
			if (said === 'done') possible.set(key, [value]);
			else possible.set(key, said === 'unknown' || inCompany ? [...others, value] : others);
		}
	}
	for (const [key, values] of possible) {
		expect([key, values]).toEqual([key, expect.arrayContaining([after.get(key)])]);
	}
}

/** The statuses with which a service says that it did not process a request; 503 does so with Retry-After. */
const NOT_PROCESSED = [301, 307, 308, 401, 402, 403, 405, 407, 429, 503];

/**
 * Expects that words about what was sent are true: "rejected" of a row to which the service said no, "not added" of none that
 * was received, or that it refused before it processed it.
 */
export function expectTrueWords(requests: RequestRecord[], rows: Row[]): void {
	for (const { asks, said } of rows) {
		const [last] = requestsFor(asks, requests).slice(-1);
		// A removal looks like the one in its place.
		const isSame = said === 'replaced' && [...asks.values()].includes(undefined);
		if (said === 'replaced' && !isSame) expect(last).toBeUndefined();
		if (said === 'not processed' && last) expect(NOT_PROCESSED).toContain(last.status);
		if (said === 'rejected') expect(NOT_PROCESSED).not.toContain(last!.status);
		if (said === 'rejected') expect(last!.status).toBeGreaterThanOrEqual(400);
	}
}

/** Expects that the service, when it is asked once more, refuses everything that the node did not do. */
export async function expectNoneLost(service: Service, rows: Row[]): Promise<void> {
	const headers = {
		authorization: `Bearer ${service.accessToken}`,
		'content-type': 'application/json',
	};
	for (const { asks } of rows.filter(({ said }) => said !== 'done' && said !== 'replaced')) {
		const last = requestsFor(asks, service.requests).at(-1);
		expect([asks, last]).toEqual([asks, expect.anything()]);
		const { method, path, body } = last!;
		const request = { method, headers, body: JSON.stringify(body) };
		expect((await fetch(service.baseUrl + path, request)).status).toBeGreaterThanOrEqual(400);
	}
}

/** Expects that no link that is known to be sent is sent again. */
export function expectNoSecondLink({ requests }: Service): void {
	const sent: string[] = [];
	for (const { body, status } of requests.filter(({ path }) => path === '/magic-link')) {
		const link = JSON.stringify(body).toLowerCase();
		expect(sent).not.toContain(link);
		if (status === 200) sent.push(link);
	}
}

const requestsFor = (asks: Contents, requests: RequestRecord[]) =>
	requests.filter((request) => {
		const asked = askedBy(request);
		return [...asks].every(([key, value]) => asked.has(key) && asked.get(key) === value);
	});
