import { isAddress } from '../../nodes/ClassEnrollment/values/address';
import { desired, keyOf } from './desired';
import { Memory } from './memory';
import { readSale } from './readSale';
import { isMonths, missingRefunds, toRecord, type Recording } from './record';
import type {
	Intent,
	NewSaleRow,
	Product,
	Round,
	Sale,
	SaleRow,
	Step,
	Student,
	Time,
} from './rounds';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** Another request may be on its way in an execution that has ended: the platform must be told again. */
const AGAIN = 'again';
/** A claim without a link is void after this. */
const CLAIM = MINUTE / 2;
/** What is bought within this time has one link. */
const ONE_PURCHASE = 10 * MINUTE;
/** At night, no more than this part of all students is removed at once, if they are that many. */
const [MANY, PART] = [20, 0.3];

export interface Given {
	now: Time;
	/** The execution. */
	me: string;
	/** What other workflows have given. None at night. */
	sales: Array<Record<string, unknown>>;
	isByHand: boolean;
	products: Product[];
	/** The classes of the platform, at night. */
	listed?: string[];
	/** At night: the sales that nobody has carried out, and the students to be looked at. */
	openSales: SaleRow[];
	due: Student[];
	past: Round[];
}

/**
 * What to do next, so that the platform agrees with what is paid. No lock is needed: each execution records its sale before
 * it looks, looks again after its requests, and ends only when what it sees agrees with its own last request about each
 * student. So whoever has sent the last one has looked afterwards, and agreed. A sale recorded later has an execution of its
 * own, which still looks.
 */
export function plan(given: Given): Step[] {
	return new Planner(given).next();
}

const open = ({ email, classId, name }: Intent | NewSaleRow): Step => ({
	...{ next: 'open', email, classId, name },
});

const KINDS: string[] = ['paid', 'refunded', 'moved', 'allow'];
/** How long an owner's permission lasts. */
const DAY = 24 * HOUR;

class Planner {
	private readonly memory: Memory;
	private readonly sale?: Sale;
	private readonly problems: string[] = [];
	private readonly classIds: Set<string>;
	private recording: Recording = { rows: [], problems: [], isRefunded: false };
	private ends = new Map<string, Time>();
	private steps = 0;

	constructor(private readonly given: Given) {
		const memory = (this.memory = new Memory(given.past, given.listed));
		// What has neither a payment nor an address can't be looked up.
		const isNowhere = ({ id, kind, email, paymentId }: SaleRow) =>
			kind !== 'allow' && email === '' && paymentId === `row ${id}`;
		this.classIds = new Set(given.products.map(({ classId }) => classId));
		const nowhere = given.openSales
			.filter(isNowhere)
			.map((row) => ({ ...row, doneAt: memory.finished.has(row.id) ? given.now : null }));
		if (memory.hasLooked) memory.sales.push(...nowhere);
		if (given.sales.length === 0) return;
		const { sale, problems } = readSale(given.sales[0]!);
		this.sale = sale;
		this.problems.push(...problems);
		if (given.sales.length > 1)
			this.problems.push('Several sales at once. Loop Over Items gives them one by one.');
	}

	next(): Step[] {
		const { memory, sale, given } = this;
		if (given.listed?.length === 0)
			return this.done(['The learning platform lists no classes. Check the credential.']);
		if (this.problems.length > 0) return this.done(this.problems);
		// What is noted is done at once.
		const intents = [...memory.intents.values()];
		const adds = intents.filter(({ end }) => end !== null);
		const at = given.now;
		if (adds.length > 0) return adds.map((intent) => ({ ...intent, next: 'add', at }));
		if (intents.length > 0) return intents.map((intent) => ({ ...intent, next: 'remove', at }));
		if (memory.claims.size > 0)
			return [...memory.claims.keys()].map((email) => ({ next: 'link', email, at }));

		const recorded = this.recorded();
		if (recorded.length > 0) return recorded.map((row) => open(row));
		const looks = this.looks();
		if (looks.length > 0) return looks;
		if (sale) this.recording = toRecord(sale, memory, given.products, given.now);
		if (this.recording.problems.length > 0) return this.done(this.recording.problems);
		const missing = [...this.recording.rows, ...missingRefunds(memory.sales)];
		const rows = new Map(missing.map((row) => [`${row.kind} ${row.paymentId} ${keyOf(row)}`, row]));
		if (rows.size > 0) return [...rows.values()].map((row) => ({ ...row, next: 'record' }));

		this.ends = desired(memory.sales.filter((row) => !this.problemOf(row)));
		const acts = this.differences();
		if (given.isByHand) return [{ next: 'done', result: 'tried', differences: acts }];
		const removals = acts.filter(({ end }) => end === null).length;
		if (!sale && removals >= MANY && !memory.all) return [{ next: 'count' }];
		const brake = sale ? undefined : this.brake(removals);
		const allowed = brake ? acts.filter(({ end }) => end !== null) : acts;
		const isNew = (intent: Intent) => !memory.students.has(keyOf(intent));
		const opens = allowed.filter(isNew);
		if (opens.length > 0) return opens.map((intent) => open(intent));
		if (allowed.length > 0) return allowed.map((intent) => this.intend(intent));

		const notes = this.notes();
		if (notes.length > 0) return notes;
		const finished = this.finished();
		if (finished.length > 0) return finished;
		return this.done([
			...[...memory.acts.values(), ...memory.links.values()].flatMap(
				({ failure }) => failure ?? [],
			),
			...(sale ? [] : this.rowProblems()),
			...(brake ? [brake] : []),
		]);
	}

	/** What was recorded just now, and gives access to somebody who has no row yet. */
	private recorded(): NewSaleRow[] {
		const { memory, given } = this;
		const { now } = given;
		const more = { receivedAt: now, doneAt: null, problem: null };
		const rows = memory.recorded.map((row, index) => ({ ...row, ...more, id: -1 - index }));
		const ends = desired([...memory.sales, ...rows]);
		const isNew = (row: NewSaleRow) => row.kind === 'paid' && !memory.students.has(keyOf(row));
		return rows.filter((row) => isNew(row) && (ends.get(keyOf(row)) ?? 0) > now);
	}

	/** Whose rows to read, if they aren't known, or something has happened since. */
	private looks(): Step[] {
		const { memory, sale, given } = this;
		const own = memory.sales.filter(({ paymentId }) => memory.payments.has(paymentId));
		const found = [...new Set(own.map(({ email }) => email))].filter((email) => email !== '');
		// What nobody has finished may have a refund that doesn't say whose it is.
		const isUnseen = ({ doneAt, paymentId }: SaleRow) =>
			doneAt === null && !memory.payments.has(paymentId);
		const unseen = memory.sales.filter(isUnseen).map(({ paymentId }) => paymentId);
		const isKnown = unseen.length === 0 && found.every((email) => memory.emails.has(email));
		if (memory.isFresh && isKnown) return [];
		const who = new Map<string, Step>();
		const add = (paymentId: string, email: string) =>
			who.set(`${paymentId} ${email}`, { next: 'look', paymentId, email });
		const { openSales, due } = given;
		if (sale) add(sale.paymentId, isAddress(sale.email) ? sale.email : '');
		for (const row of openSales) if (row.kind !== 'allow') add(row.paymentId, row.email);
		const steps = () => [...who.values()].flatMap((step) => (step.next === 'look' ? [step] : []));
		const payments = new Set(steps().map(({ paymentId }) => paymentId));
		for (const id of [...memory.payments, ...unseen]) if (!payments.has(id)) add(id, '');
		const emails = new Set(steps().map(({ email }) => email));
		for (const email of [...due.map((row) => row.email), ...found, ...memory.emails])
			if (!emails.has(email)) add('', email);
		return steps();
	}

	/** What is wrong with a row, which then gives nothing. */
	private problemOf(row: SaleRow): string | undefined {
		const { kind, email, classId, months } = row;
		if (!KINDS.includes(kind)) return `Unknown kind: "${kind}". It is one of ${KINDS.join(', ')}.`;
		const isOfPayment = ({ paymentId, ...other }: SaleRow) =>
			other.kind === 'paid' && paymentId === row.paymentId && other.email === email;
		if (kind === 'moved' && !this.memory.sales.some(isOfPayment))
			return `There is no payment ${row.paymentId} of ${email || 'nobody'}.`;
		if (kind !== 'paid') return undefined;
		if (!isAddress(email)) return `No email address: "${email}".`;
		if (!classId) return 'The classId is missing.';
		const student = this.memory.students.get(keyOf(row));
		// Who was added to a class that is no longer in the table stays.
		const wasAdded = student && (student.end ?? student.openedAt) !== null;
		if (!this.classIds.has(classId) && !wasAdded)
			return `Unknown class: "${classId}". Enter a classId of class_products, and empty doneAt.`;
		return isMonths(months) ? undefined : "The months aren't a whole number from 1 to 1200.";
	}

	/** The end that is paid, if it is in the future. */
	private wanted(key: string): Time | null {
		const end = this.ends.get(key) ?? 0;
		return end > this.given.now ? end : null;
	}

	/** What the platform must be told. */
	private differences(): Intent[] {
		const { memory, sale, given } = this;
		const paid = memory.sales.filter(({ kind }) => kind === 'paid');
		const names = new Map(paid.map((row) => [keyOf(row), row]));
		// What was rejected is tried again by a repeat of its own sale. At night, only if nobody has finished the sale.
		const isOwn = (row: SaleRow) => (sale ? row.paymentId === sale.paymentId : row.doneAt === null);
		const own = new Set(paid.filter(isOwn).map((row) => keyOf(row)));
		const people = new Map<string, SaleRow | Student>([...names, ...memory.students]);
		const intents: Intent[] = [];
		for (const [key, { email, classId }] of people) {
			if (!memory.emails.has(email)) continue;
			const end = this.wanted(key);
			const student = memory.students.get(key);
			const act = memory.acts.get(key);
			const isDue = !sale && student?.checkAt != null && student.checkAt <= given.now;
			const isToldOf = student?.problem && !act && !own.has(key) && !isDue;
			const isKnown = act
				? act.intent.end === end
				: (student?.end ?? null) === end && !student?.acting;
			if (isToldOf || isKnown) continue;
			const { acting = null, checkAt, end: told = null } = student ?? {};
			const isOthers = acting !== null && acting !== AGAIN && acting !== given.me;
			const isRecent = (checkAt ?? 0) > given.now - HOUR;
			const isUnsure = Boolean(act?.isUnknown);
			intents.push({
				...{ email, classId, end, name: names.get(key)?.name || student?.name || '' },
				isContended: (isOthers && isRecent) || isUnsure,
				isUnsure: acting !== null || isUnsure,
				isSurelyIn: acting === null && told !== null && told > given.now && !act,
			});
		}
		return intents;
	}

	/** Says that the night is to remove too many at once, as if something were wrong with the tables. */
	private brake(removals: number): string | undefined {
		const { given, memory } = this;
		const isRecent = ({ kind, receivedAt }: SaleRow) =>
			kind === 'allow' && receivedAt > given.now - DAY;
		const students = (memory.all ?? []).filter(({ end }) => end !== null);
		const ended = students.filter(({ end }) => end! <= given.now).length;
		const count = Math.max(removals, ended);
		if (removals < MANY || count <= PART * students.length || given.openSales.some(isRecent))
			return;
		return `${count} of ${students.length} students would be removed at once, so nobody was. Is class_sales complete? If this is right, add a row to class_sales with the kind "allow": for a day, the night removes them.`;
	}

	private nameOfStep = () => `${this.given.me}.${this.given.past.length}.${this.steps++}`;

	/** Says before a request that it will be sent. */
	private intend(intent: Intent): Step {
		const student = this.memory.students.get(keyOf(intent))!;
		const { name } = intent;
		const row = { ...student, name, acting: this.given.me, checkAt: this.given.now, problem: null };
		return this.note(student, row, { intent });
	}

	private note(seen: Student, row: Student, more: Partial<Step> = {}): Step {
		const step = {
			...row,
			next: 'note',
			seen: seen.changedBy,
			changedBy: this.nameOfStep(),
			...more,
		};
		return step as Step;
	}

	/** What of the students is to be written: what was done, who gets a magic link, and when to look again. */
	private notes(): Step[] {
		const { memory } = this;
		const steps: Step[] = [];
		for (const email of memory.emails) {
			const own = [...memory.students.values()].filter((student) => student.email === email);
			const rows = own.map((student) => this.afterAct(student));
			const claimed = this.link(email, rows);
			rows.forEach((row, index) => {
				const seen = own[index]!;
				row.checkAt = this.checkAt(row, this.needsLink(row));
				const isNoted = memory.acts.has(keyOf(row)) && !memory.acts.get(keyOf(row))!.isNoted;
				const isSame = Object.entries(row).every(
					([name, value]) => seen[name as keyof Student] === value,
				);
				if (isSame) return;
				steps.push(this.note(seen, row, { isNoted, isClaim: row === claimed }));
			});
		}
		return steps;
	}

	/** A student's row as this execution's own request leaves it. */
	private afterAct(student: Student): Student {
		const row = { ...student };
		const act = this.memory.acts.get(keyOf(student));
		const end = this.wanted(keyOf(student));
		if (act && !act.isNoted) {
			const isMine = row.acting === this.given.me;
			if (!act.failure) {
				if (end !== null && row.end === null) row.openedAt = act.at;
				row.end = end;
				if (isMine) row.acting = act.intent.isContended ? AGAIN : null;
			} else if (!act.isUnknown) {
				if (act.isFinal) row.problem = act.failure;
				if (isMine) row.acting = act.intent.isUnsure ? AGAIN : null;
			}
		}
		if (row.end === end && !row.acting) row.problem = null;
		return row;
	}

	private needsLink(row: Student): boolean {
		const { end, openedAt, linkSentAt } = row;
		const isIn = end !== null && end === this.wanted(keyOf(row));
		return isIn && (linkSentAt === null || linkSentAt < (openedAt ?? 0));
	}

	/** One magic link for each purchase. Returns the row that claims it: the first of an address, so that only one can. */
	private link(email: string, rows: Student[]): Student | undefined {
		const sent = this.memory.links.get(email);
		const first = rows[0];
		if (!first) return;
		for (const row of rows.filter((each) => this.needsLink(each))) {
			const openedAt = row.openedAt ?? 0;
			const isRecent = ({ linkSentAt }: Student) =>
				linkSentAt !== null && linkSentAt > openedAt - ONE_PURCHASE;
			// A link is for all that its buyer has then, and for what is bought within ten minutes.
			if (sent && !sent.failure) row.linkSentAt = Math.max(sent.at, openedAt);
			else if (rows.some(isRecent)) row.linkSentAt = openedAt;
		}
		if (sent?.failure && first.linkClaimedAt === sent.claimedAt) first.linkClaimedAt = null;
		const isClaimed = first.linkClaimedAt !== null && first.linkClaimedAt > this.given.now - CLAIM;
		if (sent || isClaimed || !rows.some((row) => this.needsLink(row))) return;
		first.linkClaimedAt = this.given.now;
		return first;
	}

	/** When the night looks again: at the end, or as soon as it can. */
	private checkAt(
		{ end, checkAt, acting, problem, ...row }: Student,
		needsLink: boolean,
	): Time | null {
		const { now } = this.given;
		const wanted = this.wanted(keyOf(row));
		const isOpen = (!problem && (acting !== null || end !== wanted)) || needsLink;
		return isOpen ? Math.min(checkAt ?? now, now) : wanted;
	}

	/** The sales that are carried out. */
	private finished(): Step[] {
		const { memory, given } = this;
		const isOpen = (key: string) => {
			const student = memory.students.get(key);
			return this.wanted(key) !== (student?.end ?? null) && !student?.problem;
		};
		const paid = memory.sales.filter(({ kind }) => kind === 'paid');
		const keys = new Set([...paid.map((row) => keyOf(row)), ...memory.students.keys()]);
		const open = new Set([...keys].filter(isOpen).map((key) => key.split(' ')[0]));
		const isLookedUp = ({ paymentId }: SaleRow) => memory.payments.has(paymentId);
		const rows = memory.sales.filter(
			(row) => row.doneAt === null && isLookedUp(row) && !open.has(row.email),
		);
		const isOver = ({ kind, receivedAt }: SaleRow) =>
			kind === 'allow' && receivedAt <= given.now - DAY;
		const over = given.openSales.filter((row) => isOver(row) && !memory.finished.has(row.id));
		const known = new Set(paid.map(({ paymentId }) => paymentId));
		return [...rows.filter(({ kind }) => kind !== 'allow'), ...over].map((row) => {
			const isLonely = row.kind === 'refunded' && !known.has(row.paymentId);
			const lonely = isLonely ? 'There was no such payment yet.' : null;
			const problem = this.problemOf(row) ?? memory.students.get(keyOf(row))?.problem ?? lonely;
			return { next: 'finish', id: row.id, doneAt: given.now, problem };
		});
	}

	/** What is wrong with the rows that an owner wrote, which the night has looked at for the first time. */
	private rowProblems(): string[] {
		const open = new Set(this.given.openSales.map(({ id }) => id));
		const rows = this.memory.sales.filter(({ id }) => open.has(id));
		return rows.flatMap((row) => {
			const problem = this.problemOf(row);
			return problem ? [`Row ${row.id} of class_sales: ${problem}`] : [];
		});
	}

	/** How it ended. */
	private done(failures: string[]): Step[] {
		const { memory, sale, recording } = this;
		const reason = failures.filter(Boolean).join(' ');
		if (reason) return [{ next: 'done', result: 'failed', reason }];
		if (!sale) return [{ next: 'done', result: 'done' }];
		if (sale.kind === 'refunded') return [{ next: 'done', result: 'refunded' }];
		if (recording.isRefunded) {
			const why =
				'The payment was refunded. If it was paid again, add a row to class_sales with another paymentId.';
			return [{ next: 'done', result: 'not added', reason: why }];
		}
		const own = memory.sales.filter(
			({ paymentId, kind }) => kind === 'paid' && paymentId === sale.paymentId,
		);
		if (!own.some((row) => this.wanted(keyOf(row)) !== null)) {
			const why = recording.reason ?? 'No class was bought, or access has ended.';
			return [{ next: 'done', result: 'ignored', reason: why }];
		}
		if (memory.acts.size + memory.links.size > 0) return [{ next: 'done', result: 'added' }];
		const { reason: why } = recording;
		return [{ next: 'done', result: 'already processed', ...(why && { reason: why }) }];
	}
}
