import { keyOf } from './desired';
import type { Answer, Intent, NewSaleRow, Round, SaleRow, Step, Student, Time } from './rounds';

/** A request of this execution, and how it ended. */
export interface Act {
	intent: Intent;
	at: Time;
	failure?: string;
	/** It failed for good: an owner must correct something. */
	isFinal?: boolean;
	/** Nobody knows whether it was done. */
	isUnknown?: boolean;
	/** The table says it. */
	isNoted?: boolean;
}

/** What an execution knows: what it has read, and what it has done. */
export class Memory {
	readonly emails = new Set<string>();
	readonly payments = new Set<string>();
	sales: SaleRow[] = [];
	/** By address and class. */
	students = new Map<string, Student>();
	/** What it has recorded since it looked. */
	recorded: NewSaleRow[] = [];
	/** All students, if they were counted. */
	all?: Student[];
	hasLooked = false;
	/** Whether it has looked since the last request, by itself or by somebody who was faster. */
	isFresh = false;
	readonly acts = new Map<string, Act>();
	readonly links = new Map<string, { at: Time; claimedAt: Time | null; failure?: string }>();
	/** What is noted and not done yet. */
	readonly intents = new Map<string, Intent>();
	readonly claims = new Map<string, Time | null>();
	/** Rows of `class_sales`. */
	readonly finished = new Set<number>();

	constructor(
		past: Round[],
		private readonly listed?: string[],
	) {
		for (const round of past) this.recall(round);
	}

	private recall({ steps, sales = [], students = [], answers = [] }: Round): void {
		const { next } = steps[0]!;
		if (next === 'look') this.see(steps, sales, students);
		if (next === 'count') this.all = students;
		if (next === 'record' || next === 'open') this.isFresh = false;
		this.recorded = [];
		steps.forEach((step, index) => {
			if (step.next === 'record') this.recorded.push(step);
			if (step.next === 'note') this.recallNote(step, students);
			if (step.next === 'add' || step.next === 'remove') this.recallAct(step, answers[index]);
			if (step.next === 'link') this.recallLink(step, answers[index]);
			if (step.next !== 'finish') return;
			this.finished.add(step.id);
			const sale = this.sales.find(({ id }) => id === step.id);
			if (sale) Object.assign(sale, { doneAt: step.doneAt, problem: step.problem });
		});
	}

	private see(steps: Step[], sales: SaleRow[], students: Student[]): void {
		for (const step of steps) {
			if (step.next !== 'look') continue;
			if (step.email) this.emails.add(step.email);
			if (step.paymentId) this.payments.add(step.paymentId);
		}
		// The search for an address also finds others that contain it.
		const ofThese = sales.filter(
			({ email, paymentId }) => this.emails.has(email) || this.payments.has(paymentId),
		);
		this.sales = [...new Map(ofThese.map((sale) => [sale.id, { ...sale }])).values()];
		this.students = new Map();
		// PostgreSQL may hold a student twice whom two executions opened at the same moment. One of the rows is used.
		const isUsed = ({ changedBy }: Student) => (changedBy === null ? 1 : 0);
		for (const student of [...students].sort((a, b) => isUsed(a) - isUsed(b) || a.id - b.id))
			if (this.emails.has(student.email) && !this.students.has(keyOf(student)))
				this.students.set(keyOf(student), student);
		this.hasLooked = this.isFresh = true;
	}

	private recallNote(step: Step & { next: 'note' }, written: Student[]): void {
		const row = written.find(({ changedBy }) => changedBy === step.changedBy);
		// Somebody else was faster.
		if (!row) this.isFresh = false;
		else {
			this.students.set(keyOf(row), row);
			if (step.intent) this.intents.set(keyOf(step), step.intent);
			if (step.isClaim) this.claims.set(step.email, step.linkClaimedAt);
			const act = this.acts.get(keyOf(step));
			if (step.isNoted && act) act.isNoted = true;
		}
	}

	private recallAct(
		intent: Intent & { next: 'add' | 'remove'; at: Time },
		answer: Answer = {},
	): void {
		const { next, email, name, classId, at } = intent;
		const failure = this.failureOf(answer, intent);
		const where = next === 'add' ? 'to' : 'from';
		const what = `Couldn't ${next} ${name} ${email} ${where} class ${classId}: ${failure}`;
		const isUnknown = !['rejected', 'notSent', 'invalid'].includes(answer.outcome ?? '');
		const failed = { failure: what, isFinal: this.isFinal(answer), isUnknown };
		this.acts.set(keyOf(intent), { intent, at, ...(failure && failed) });
		this.intents.delete(keyOf(intent));
		this.isFresh = false;
	}

	private failureOf(answer: Answer, { classId, end, isSurelyIn }: Intent): string | undefined {
		const { success, deleted, error, outcome, status } = answer;
		// n8n goes on with the input of a node that breaks. Only a success is one.
		if (success === true || deleted === true) return undefined;
		const isRejected = outcome === 'rejected' && end === null;
		// A wrong Base URL is a 404, too: only the night can tell, which has listed the classes.
		const isThere = status === 404 ? this.listed !== undefined : status === 400 || status === 422;
		const hasLeft = isRejected && isThere && !isSurelyIn;
		const isGone = isRejected && status === 404 && this.listed && !this.listed.includes(classId);
		return hasLeft || isGone ? undefined : (error ?? 'There is no answer.');
	}

	private isFinal({ outcome, status = 0 }: Answer): boolean {
		if (outcome === 'invalid') return true;
		const isRejected = outcome === 'rejected';
		return isRejected && ([400, 409, 422].includes(status) || (status === 404 && !!this.listed));
	}

	private recallLink({ email, at }: Step & { next: 'link' }, answer: Answer = {}): void {
		const failure = answer.success === true ? undefined : (answer.error ?? 'There is no answer.');
		const what = `Couldn't send a magic link to ${email}: ${failure}`;
		const claimedAt = this.claims.get(email) ?? null;
		this.links.set(email, { at, claimedAt, ...(failure && { failure: what }) });
		this.claims.delete(email);
		this.isFresh = false;
	}
}
