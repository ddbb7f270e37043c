// How long each access should last.
import { DateTime } from 'luxon';

import { LAST_END } from '../../reading/dates';
import { NO_CLASS } from '../tables/products';
import type { Sale } from '../tables/sales';
import type { Time } from '../types';
import type { Payment } from './payments';

/** An address and a class, such as a row of `class_students`. */
interface Key {
	email: string;
	classId: string;
}

/** Names an address and a class, or a magic link, which is for no class. */
export const keyOf = ({ email, classId = '' }: Partial<Key>): string => `${email} ${classId}`;

/** What all sales together say of an address and a class. */
export interface DesiredAccess extends Key {
	name: string;
	/** When it should end. In the past, or 0: it has ended, or was taken back. */
	end: Time;
	/** When the last of it was recorded. */
	givenAt: Time;
	/** A row about it isn't carried out yet. So it is asked again, also after a rejection. */
	hasOpenSale: boolean;
	/** Such a row was carried out before, and an owner has emptied its doneAt. So it is asked again, also if nothing has changed. */
	isAskedAgain: boolean;
	/** Payments that prolong nothing, by their ID, and until when others last. */
	uselessPayments: Map<string, Time>;
}

/** Payments that add up. */
interface Period {
	end: Time;
	/** From when so many months count, so that the 31st stays the 31st. */
	start: Time;
	months: number;
}

/**
 * When each access should end, by address and class. Payments add up in the order in which they were made.
 */
export function desired(payments: Payment[], sales: Sale[]): Map<string, DesiredAccess> {
	const endings = sales.filter(({ kind, problem }) => kind === 'ended' && !problem);
	const given = payments.flatMap(({ emails, gifts }) =>
		emails.flatMap((email) => gifts.map(({ classId }) => ({ email, classId }))),
	);
	// An owner may end at once what no sale gives any more, such as a class that a product no longer has.
	const ended = endings.filter(({ until }) => until === null);
	const keys = new Map([...given, ...ended].map((key): [string, Key] => [keyOf(key), key]));
	const accesses = [...keys.values()]
		.filter(({ classId }) => classId !== NO_CLASS)
		.map((key) => accessOf(key, payments, endings));
	return new Map(accesses.map((access) => [keyOf(access), access]));
}

function accessOf({ email, classId }: Key, all: Payment[], endings: Sale[]): DesiredAccess {
	// Also those that were refunded, or have moved to another address.
	const payments = all.filter(
		({ emails, gifts }) => emails.includes(email) && gifts.some((gift) => gift.classId === classId),
	);
	const own = payments.filter((payment) => payment.email === email && !payment.refund);
	// Another buyer may have sent a row under the number.
	const names = payments.flatMap(({ accepted }) => accepted.map(({ name }) => name));
	const ends = endings.filter((sale) => sale.email === email && sale.classId === classId);
	const sales = [...payments.flatMap((payment) => payment.sales), ...ends];
	return {
		email,
		classId,
		name: names.filter(Boolean).at(-1) ?? '',
		...sumOf(own, classId),
		givenAt: Math.max(0, ...own.map((payment) => givenAtOf(payment, classId))),
		hasOpenSale: sales.some(({ isDone }) => !isDone),
		isAskedAgain: sales.some(({ isDone, formerEmails }) => !isDone && formerEmails.length > 0),
	};
}

/** When access to a class ends by all payments that give it, in the order in which they were made. */
function sumOf(
	payments: Payment[],
	classId: string,
): Pick<DesiredAccess, 'end' | 'uselessPayments'> {
	const uselessPayments = new Map<string, Time>();
	let period: Period = { end: 0, start: 0, months: 0 };
	for (const payment of [...payments].sort((a, b) => a.paidAt! - b.paidAt!)) {
		const next = prolonged(period, payment, monthsOf(payment, classId));
		const endedAt = payment.ends.get(classId) ?? Infinity;
		if (next.end <= period.end) uselessPayments.set(payment.id, period.end);
		// An end by hand takes nothing that was there before the payment.
		else period = endedAt < next.end ? endingAt(Math.max(period.end, endedAt)) : next;
	}
	return { end: period.end, uselessPayments };
}

/** When a payment gave a class: with its first row that does, or again. */
const givenAtOf = ({ gifts, givenAgainAt }: Payment, classId: string): Time =>
	Math.max(gifts.find((gift) => gift.classId === classId)!.givenAt, givenAgainAt);

/** The months that a payment gives of a class: of several products, the longest. */
const monthsOf = ({ gifts }: Payment, classId: string): number =>
	Math.max(...gifts.filter((gift) => gift.classId === classId).map(({ months }) => months));

/** A period, and what a payment gives more: until a day, or for months, whichever is longer. */
function prolonged(period: Period, { paidAt, until }: Payment, months: number): Period {
	const byDay = endingAt(Math.max(period.end, until ?? 0));
	if (months === 0) return byDay;
	// It goes on, or begins with the payment.
	const from = period.end >= paidAt! ? period : { start: paidAt!, months: 0 };
	const all = from.months + months;
	const last = DateTime.fromMillis(from.start).plus({ months: all }).endOf('day').toMillis();
	// What is for life can't be prolonged, which must be said.
	const end = Math.min(last, LAST_END);
	return end > byDay.end ? { end, start: from.start, months: all } : byDay;
}

const endingAt = (end: Time): Period => ({ end, start: end, months: 0 });
