/** Milliseconds since 1970. Dates are compared as numbers only. */
export type Time = number;

/** What a shop may say of a payment, and what an owner may write by hand. */
export type Kind =
	| 'paid'
	| 'refunded'
	/** The payment is no longer of this address. */
	| 'moved'
	/** The next night may remove many at once. */
	| 'allow';

/** A sale as another workflow gives it, checked. */
export interface Sale {
	paymentId: string;
	kind: 'paid' | 'refunded';
	email: string;
	name: string;
	/** Codes of products, as they are compared. */
	codes: string[];
	paidAt: Time | null;
	until: Time | null;
	returnFailure: boolean;
}

/** A row of `class_sales`: only added, never changed but for the last two columns. */
export interface SaleRow {
	id: number;
	paymentId: string;
	kind: Kind;
	email: string;
	name: string;
	classId: string;
	product: string;
	months: number;
	until: Time | null;
	paidAt: Time;
	/** How many rows the payment has. n8n may die when it has written some of them. */
	rowCount: number;
	receivedAt: Time;
	doneAt: Time | null;
	problem: string | null;
}

export type NewSaleRow = Omit<SaleRow, 'id' | 'receivedAt' | 'doneAt' | 'problem'>;

/** A row of `class_students`: one for each address and class. */
export interface Student {
	id: number;
	email: string;
	classId: string;
	name: string;
	/** The end that the platform was last told, or null: not in the class. */
	end: Time | null;
	/** When the night looks at it again. */
	checkAt: Time | null;
	/** The execution whose request may be on its way, or AGAIN. Until it is empty, nobody knows what the platform says. */
	acting: string | null;
	/** Since when the student has been in the class. A magic link is for each such time. */
	openedAt: Time | null;
	linkClaimedAt: Time | null;
	linkSentAt: Time | null;
	problem: string | null;
	/** Who wrote it last. A row is only written by who has seen what it says. */
	changedBy: string | null;
}

export interface Product {
	product: string;
	classId: string;
	months: number | null;
}

/** What an execution is about to do with a student. */
export interface Intent {
	email: string;
	classId: string;
	name: string;
	end: Time | null;
	/** Another request may be on its way, so nobody knows which one arrives last. */
	isContended: boolean;
	/** An earlier request may have been done, though nobody saw its answer. */
	isUnsure: boolean;
	/** The student is surely in the class, and not at its end. So a rejected removal hasn't been done before. */
	isSurelyIn: boolean;
}

/** What the canvas carries out next. All steps of a round have the same `next`. */
export type Step =
	| { next: 'look'; paymentId: string; email: string }
	| ({ next: 'record' } & NewSaleRow)
	| { next: 'open'; email: string; classId: string; name: string }
	| ({
			next: 'note';
			seen: string | null;
			intent?: Intent;
			isClaim?: boolean;
			isNoted?: boolean;
	  } & Student)
	| ({ next: 'add' | 'remove'; at: Time } & Intent)
	| { next: 'link'; email: string; at: Time }
	| { next: 'count' }
	| { next: 'finish'; id: number; doneAt: Time; problem: string | null }
	| { next: 'done'; result: string; reason?: string; differences?: Intent[] };

/** How the node Class Enrollment has answered. */
export interface Answer {
	success?: boolean;
	/** What a removal says in its place. */
	deleted?: boolean;
	error?: string;
	outcome?: string;
	status?: number;
}

/** The steps of a round, and what came of them. */
export interface Round {
	steps: Step[];
	sales?: SaleRow[];
	students?: Student[];
	answers?: Answer[];
}
