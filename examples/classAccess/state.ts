// What an execution reads, remembers, and does next.
import type { Answer, RequestOutcome } from './answers';
import type { AccessChange } from './differences';
import type { LinkOutcome } from './links';
import type { Buyer, Product, Sale, Student } from './tables';
import type { Result, Time } from './types';

/** What the canvas carries out next. All steps have the same `next`, but for those that write. */
export type Step =
	| ({ next: 'done' } & Done)
	/** Every hour: read who is due. */
	| { next: 'due' }
	/** Count the students, before many are removed. */
	| { next: 'count' }
	/** Look up payments of which no address is said. */
	| ({ next: 'look'; email: '' } & SaleWithoutAddress)
	/** Lock buyers, and look up what the tables say of them; after some seconds, if they were locked. */
	| { next: 'lock' | 'wait'; email: string }
	| ({ next: 'add' | 'remove' } & AccessChange)
	| { next: 'link'; email: string }
	/** Write down what came of it, then unlock, and look once more what is recorded. */
	| ({ next: 'note'; problem: string | null } & Omit<Student, 'problem'>)
	| {
			next: 'finish';
			id: number;
			email: string;
			classes: string;
			doneAt: Time | null;
			problem: string | null;
	  }
	| { next: 'unlock'; email: string; linkedAt: Time | null; linkUnknownAt: Time | null };

/** A row of `class_sales` without an address: its payment may say one. */
export interface SaleWithoutAddress {
	paymentId: string;
	saleId: number;
}

export interface Done {
	result: Result['result'] | 'done';
	reason?: string;
	/** By hand: who would be removed, because their access has ended. */
	wouldRemove?: AccessChange[];
}

/** What an execution remembers. */
export interface State {
	/** What the canvas is to carry out, and has carried out when the state is read. */
	doing?: Step['next'];
	startedAt: Time;
	/** Buyers to come, by portions, and before them rows without an address. */
	queue: string[][];
	salesWithoutAddress: SaleWithoutAddress[];
	/** Those of the sale that it was called with. Failures of others are left to the next hour. */
	buyersOfSale: string[];
	/** Whom it has locked and looked at, once for each time. */
	visited: string[];
	hasQueuedLeftBehind: boolean;
	/** Why nobody may be removed whose time is over. */
	brake: string | null;
	wouldRemove: AccessChange[];
	failures: string[];
	result: Done | null;
	/** The buyers at whom it is working. */
	round: Round;
}

export interface Round {
	emails: string[];
	/** Those whose last holder has died. */
	abandoned: string[];
	/** When the lease runs out. */
	leaseEnd: Time;
	/** How often it has waited for them, and whether it is to wait once more when they are unlocked. */
	waits: number;
	isToWait: boolean;
	/** What is to be asked, and what came of it so far. */
	changes: AccessChange[];
	outcomes: RequestOutcome[];
	/** Who is asked a magic link for, and what came of it. */
	askedLinks: string[];
	links: LinkOutcome[];
}

export interface Plan {
	state: State;
	steps: Step[];
}

/** What has been read. */
export interface Snapshot {
	now: Time;
	/** The execution. */
	executionId: string;
	/** What another workflow has called with. None every hour. */
	sale?: { id: number; paymentId: string; email: string };
	/** Started by a person: nobody is removed whose time is over. */
	isByHand: boolean;
	products: Product[];
	/** Every hour: the learning platform's classes, and the students to be looked at. */
	listedClasses?: string[];
	dueStudents: Student[];
	/** Rows of `class_sales` that nobody has carried out. */
	leftBehind: Sale[];
	/** The rows of these buyers before they were locked, and then. */
	buyersBefore: Buyer[];
	lockedBuyers: Buyer[];
	students: Student[];
	sales: Sale[];
	/** Rows of these buyers that aren't done, after they were unlocked. */
	openSales: Sale[];
	answers: Answer[];
	/** How many students are in a class, if they were counted. */
	studentCount: number;
	/** As it was planned last. */
	state?: State;
}

export const NO_ROUND: Round = {
	emails: [],
	abandoned: [],
	leaseEnd: 0,
	waits: 0,
	isToWait: false,
	changes: [],
	outcomes: [],
	askedLinks: [],
	links: [],
};
