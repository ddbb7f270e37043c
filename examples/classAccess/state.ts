// What an execution reads, remembers, and does next.
import type { Answer } from '../codeNodes/answer';
import type { Outcome, Request } from './requests';
import type { Buyer, Product, Row, Sale, Student } from './tables';
import type { Result, SALE_COLUMNS, Time } from './types';

/** What the canvas carries out next. All steps have the same `next`, but for those that write. */
export type Step =
	| ({ next: 'done' } & (Result | { result: 'done'; wouldRemove?: State['wouldRemove'] }))
	/** Every hour: read who is due. */
	| { next: 'due' }
	/** Find whose a row of `class_sales` is that says no address. */
	| { next: 'find'; saleId: number }
	/** Lock buyers, and look up what the tables say of them. `wait`: some seconds later, since others had locked them. */
	| { next: 'lock' | 'wait'; email: string }
	| Request
	/** Write down what came of it, then unlock, and look once more what is recorded. */
	| ({ next: 'note' } & Student)
	| ({ next: 'finish' } & Pick<Sale, 'id' | 'email' | 'paymentId' | 'problem'> &
			Pick<Row<typeof SALE_COLUMNS>, 'classes' | 'doneAt'>)
	| ({ next: 'unlock' } & Pick<Buyer, 'email' | 'linkedAt' | 'linkUnknownAt'>);

/** What an execution remembers. */
export interface State {
	/** What the canvas is to carry out, and has carried out when the state is read. */
	doing?: Step['next'];
	startedAt: Time;
	/** Whom it works for next. */
	queue: Round[];
	/** Whether the sale that it was called with is behind it, and others come: what was left behind, and every hour who is due. */
	isForOthers: boolean;
	/** Whose time is over, but who may not be removed. */
	wouldRemove: Array<Pick<Student, 'email' | 'name' | 'classId'>>;
	failures: string[];
	result: Result | null;
	/** For whom it is working, until it locks the next ones. */
	round: Round;
}

/** Who is looked up together. */
export interface Round {
	/** Buyers, who are to be locked. */
	emails: string[];
	/** Or rows of `class_sales` that say no address: their payments may. */
	saleIds: number[];
	/** How often the execution has waited for them, because others had locked them. */
	waits: number;
	/** Those of the buyers whom it has locked. */
	buyers: LockedBuyer[];
	accesses: Access[];
}

export const NO_ROUND: Round = { emails: [], saleIds: [], waits: 0, buyers: [], accesses: [] };

/** What an execution remembers when it begins. */
export const newState = (startedAt: Time): State => ({
	startedAt,
	queue: [],
	isForOthers: false,
	wouldRemove: [],
	failures: [],
	result: null,
	round: NO_ROUND,
});

/** What is known of the links of a buyer who is locked. */
export interface LockedBuyer extends Pick<Buyer, 'email' | 'linkedAt' | 'linkUnknownAt'> {
	/** When the lease runs out. */
	leaseEnd: Time;
	/** The last holder of the lease has died, and nobody knows what it has asked. */
	isAbandoned: boolean;
	/** What came of a link, if one was asked for. */
	outcome?: Outcome;
}

/** A class of a buyer: what should be, what the learning platform was told, and what it is asked. */
export interface Access {
	/** The row of `class_students`, as it is to be written. */
	student: Student;
	/** Until when the student should be in the class. Null: not any more. */
	end: Time | null;
	/** When the last of what gives it was recorded. */
	givenAt: Time;
	/** `withheld`: a removal that a person must allow. Null: there is nothing to ask. */
	request: 'add' | 'remove' | 'withheld' | null;
	/** What came of the request, as soon as it is answered. */
	outcome?: Outcome;
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
	sale?: { id: number; email: string };
	/** Started by a person: nobody is removed whose time is over. */
	isByHand: boolean;
	products: Product[];
	/** Every hour: the learning platform's classes, and the students to be looked at. */
	listedClasses?: string[];
	dueStudents: Student[];
	/** The rows of these buyers before they were locked, and then. */
	buyerRowsBefore: Buyer[];
	buyerRows: Buyer[];
	students: Student[];
	sales: Sale[];
	/** The oldest rows of `class_sales` that nobody has carried out, as soon as buyers were unlocked, or who is due was read. */
	openSales: Sale[];
	/** If something was asked. */
	answers: Answer[];
	/** Every hour: how many students are in a class, counted until they are enough for all who are due. */
	studentCount: number;
	/** As it was planned last. */
	state?: State;
}
