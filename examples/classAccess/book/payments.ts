// What a payment gives, and to whom, by all that was said of it.
import type { Product } from '../tables/products';
import { ownPaymentId, type Gift, type Sale } from '../tables/sales';
import type { Time } from '../types';
import { givenBy } from './gifts';
import { noticeOf } from './notices';
import { isNewAddress, rejectionOf } from './rejections';
import { repetitionOf } from './repetition';

/** A payment, or what an owner gave by hand. */
export interface Payment {
	id: string;
	/** All that was said of it, in the order in which it was recorded, each with what it gives and what is wrong with it. */
	sales: Sale[];
	/** Those of them that count: neither a refund, nor rejected. So it doesn't depend on what is done already. */
	accepted: Sale[];
	/** Whose it is now. Empty: nobody has said. */
	email: string;
	/** All addresses that it has had. */
	emails: string[];
	/** The addresses to which it moves by hand, perhaps later. So they are its own. */
	movedTo: string[];
	/** The row that took it back, if there is one. Then it gives nothing. */
	refund: Sale | null;
	/** What its rows give, and when. Without months, if they say until when. */
	gifts: Array<Gift & { givenAt: Time }>;
	/** As the first row says it that isn't wrong. Null: there is none yet. */
	paidAt: Time | null;
	until: Time | null;
	/** When it gave all of that again: until a later day, or to another address. */
	givenAgainAt: Time;
	/** When an owner ends it, by class. An end takes nothing that is given later. */
	ends: Map<string, Time>;
}

/** The payments of rows of `class_sales`, each once, in order. What isn't known yet of a row is looked up in `class_products`. */
export function paymentsOf(sales: Sale[], products: Product[]): Payment[] {
	const payments = new Map<string, Payment>();
	for (const sale of sales) {
		if (sale.kind === 'allow') continue;
		if (sale.kind === 'ended') {
			for (const [id, payment] of payments) payments.set(id, withEnd(payment, sale));
			continue;
		}
		// What an owner gives under a number that is in use is given beside that payment.
		const isBeside = sale.kind === 'given' && payments.has(sale.paymentId);
		const id = isBeside ? ownPaymentId(sale.id) : sale.paymentId;
		const before = payments.get(id) ?? newPayment(id, sales);
		const row = { ...sale, problem: sale.problem || repetitionOf(sale, [...payments.values()]) };
		payments.set(id, withSale(before, row, products));
	}
	return [...payments.values()];
}

/** @param sales all rows, as later ones may say whose it is */
const newPayment = (id: string, sales: Sale[]): Payment => ({
	id,
	sales: [],
	accepted: [],
	email: '',
	emails: [],
	movedTo: sales
		// A row that names a part of it is rejected.
		.filter(({ codes, classId }) => codes.length === 0 && classId === '')
		.filter(({ kind, paymentId }) => kind === 'moved' && paymentId === id)
		.map(({ email }) => email),
	refund: null,
	gifts: [],
	paidAt: null,
	until: null,
	givenAgainAt: 0,
	ends: new Map(),
});

/** An end by hand counts for what is of its address then. So what was ended stays ended at a new address. */
function withEnd(payment: Payment, { email, classId, problem, until, receivedAt }: Sale): Payment {
	const isOfClass = payment.gifts.some((gift) => gift.classId === classId);
	if (problem || email !== payment.email || !isOfClass) return payment;
	return { ...payment, ends: new Map([...payment.ends, [classId, until ?? receivedAt]]) };
}

/** A payment after one more row about it. */
function withSale(payment: Payment, sale: Sale, products: Product[]): Payment {
	const problem = sale.problem || rejectionOf(payment, sale);
	// If a row before it was changed since it was carried out, that must be said.
	const isDone = sale.isDone && sale.notedProblem.includes(problem);
	if (problem) return withRow(payment, { ...sale, problem, isDone });
	if (sale.kind === 'refunded')
		return { ...withRow(payment, sale), refund: payment.refund ?? sale };
	if (sale.kind === 'moved') return withOwner(withAccepted(payment, sale), sale);
	const row = withWhatItGives(payment, sale, products);
	const after = withGifts(withAccepted(payment, row), row);
	return isNewAddress(payment, row) ? withOwner(after, row) : after;
}

/** A row with what it gives, and what is wrong with it. */
function withWhatItGives(payment: Payment, sale: Sale, products: Product[]): Sale {
	const { gifts, problems } = givenBy(payment, sale, products);
	const problem = [...problems, noticeOf(payment, sale)].filter(Boolean).join(' ');
	return { ...sale, gifts, problem };
}

/** A payment with what a row gives. A later day, as of the next charge under its number, gives everything again. */
function withGifts(payment: Payment, { gifts, until, paidAt, receivedAt }: Sale): Payment {
	const more = gifts.map((gift) => ({
		...gift,
		months: until === null ? gift.months : 0,
		givenAt: receivedAt,
	}));
	const given = {
		...payment,
		gifts: [...payment.gifts, ...more],
		paidAt: payment.paidAt ?? paidAt ?? receivedAt,
	};
	if (until === null || until <= (payment.until ?? 0)) return given;
	return { ...given, until, givenAgainAt: receivedAt, ends: new Map() };
}

const withRow = (payment: Payment, row: Sale): Payment => ({
	...payment,
	sales: [...payment.sales, row],
});

const withAccepted = (payment: Payment, row: Sale): Payment => ({
	...withRow(payment, row),
	accepted: [...payment.accepted, row],
});

/** From now on, it is of the address of this row: the last one that is new, or that an owner has entered. */
const withOwner = (payment: Payment, { email, receivedAt }: Sale): Payment => ({
	...payment,
	email,
	emails: [...new Set([...payment.emails, email])],
	// It may be theirs already.
	givenAgainAt: email === payment.email ? payment.givenAgainAt : receivedAt,
});
