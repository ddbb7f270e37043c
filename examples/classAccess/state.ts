// What an execution reads, remembers, and does next.
import type { Answer } from '../codeNodes/answer';
import type { Outcome, Request } from './round/requests';
import type { Product } from './tables/products';
import type { Buyer, Row, Student } from './tables/rows';
import type { Sale } from './tables/sales';
import type { Result, SALE_COLUMNS, Time } from './types';

/** What the canvas carries out next. Steps that it carries out together have the same `next`, except those that write. */
export type Step =
	| ({ next: 'done' } & (Result | { result: 'done'; wouldRemove?: State['wouldRemove'] }))
	/** Every hour: read who is due. */
	| { next: 'due' }
	/** Look up a row of `class_sales` without an address, and its payment. */
	| { next: 'find'; saleId: number }
	/** Lock a buyer, and look up what the tables say. `wait`: some seconds later, as another execution had locked them. */
	| { next: 'lock' | 'wait'; email: string }
	| Request
	/** Write into `class_students`, `class_sales`, and `class_buyers`. The last one reads what was recorded meanwhile. */
	| ({ next: 'note' } & Student)
	| ({ next: 'finish' } & Pick<Sale, 'id' | 'email' | 'paymentId' | 'problem'> &
			Pick<Row<typeof SALE_COLUMNS>, 'classes' | 'doneAt'>)
	| ({ next: 'unlock' } & Pick<Buyer, 'email' | 'linkedAt' | 'linkUnknownAt'>);

/** What an execution remembers. */
export interface State {
	/** What the canvas carries out, the last of it. */
	doing?: Step['next'];
	startedAt: Time;
	round: Round;
	/** The next rounds. */
	queue: Round[];
	/** First the sale of the call, if there is one, then what others left behind, and every hour who is due. */
	phase: 'call' | 'others';
	/** Whose access has ended, but who may not be removed, and from which class. */
	wouldRemove: string[];
	failures: string[];
	/** What came of the first sale of the call. Null: its row was not read yet. */
	result: Result | null;
}

/** The work for buyers who are locked together. */
export interface Round {
	/** Whom it is to lock. */
	emails: string[];
	/** Rows of `class_sales` without an address. First they are looked up, as their payments may have one. */
	saleIds: number[];
	/** How often it has waited for those whom others had locked. */
	waits: number;
	/** Whom it has locked. */
	buyers: LockedBuyer[];
	/** Which rows of `class_sales` it has read, and when it compared them. What counts then, counts to its end. */
	readIds: number[];
	comparedAt: Time | null;
	accesses: Access[];
}

export const NO_ROUND: Round = {
	emails: [],
	saleIds: [],
	waits: 0,
	buyers: [],
	readIds: [],
	comparedAt: null,
	accesses: [],
};

/** What is known of the links of a buyer who is locked. */
export interface LockedBuyer extends Pick<Buyer, 'email' | 'linkedAt' | 'linkUnknownAt'> {
	leaseEnd: Time;
	/** The last execution that held the lease has died, and nobody knows what it has asked. */
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
	/** `withheld`: a removal that is left to the hour, or that a person must allow. Null: there is nothing to ask. */
	request: 'add' | 'remove' | 'withheld' | null;
	/** What came of the request, as soon as it is answered. */
	outcome?: Outcome;
}

/** What has been read. */
export interface Snapshot {
	now: Time;
	executionId: string;
	/** The rows with which another workflow has called. None: the hour, or a person. */
	calls: Array<{ id: number; email: string }>;
	/** Started by a person: it removes nobody whose access has ended. */
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
	answers: Answer[];
	/** Every hour: how many accesses there are, counted until they are enough for all who are due. */
	accessCount: number;
	state?: State;
}
