// How long each access should last.
import { DateTime } from 'luxon';

import { LAST_END } from '../reading/dates';
import { NO_CLASS } from './gifts';
import type { Payment } from './payments';
import type { Sale } from './tables';
import type { Time } from './types';

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
	/** Payments that prolong nothing, by their ID, and until when others last. */
	uselessPayments: Map<string, Time>;
}

/** What a payment gives of a class. */
interface Grant extends Pick<Payment, 'id' | 'until' | 'givenAt'> {
	paidAt: Time;
	months: number;
	/** When an owner ends it, or infinite. */
	endedAt: Time;
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
	const grants = payments
		.filter((payment) => payment.email === email && !payment.refund)
		.map((payment) => grantOf(payment, classId));
	// Another buyer may have sent a row under the number.
	const names = payments.flatMap(({ accepted }) => accepted.map(({ name }) => name));
	const ends = endings.filter((sale) => sale.email === email && sale.classId === classId);
	const sales = [...payments.flatMap((payment) => payment.sales), ...ends];
	return {
		email,
		classId,
		name: names.filter(Boolean).at(-1) ?? '',
		...sumOf(grants),
		givenAt: Math.max(0, ...grants.map(({ givenAt }) => givenAt)),
		hasOpenSale: sales.some(({ isDone }) => !isDone),
	};
}

/** When access ends by all that gives it, in the order in which it was paid. */
function sumOf(grants: Grant[]): Pick<DesiredAccess, 'end' | 'uselessPayments'> {
	const uselessPayments = new Map<string, Time>();
	let period: Period = { end: 0, start: 0, months: 0 };
	for (const grant of [...grants].sort((a, b) => a.paidAt - b.paidAt)) {
		const next = prolonged(period, grant);
		if (next.end <= period.end) uselessPayments.set(grant.id, period.end);
		// An end by hand takes nothing that was there before the payment.
		else period = grant.endedAt < next.end ? endingAt(Math.max(period.end, grant.endedAt)) : next;
	}
	return { end: Math.min(period.end, LAST_END), uselessPayments };
}

/** What a payment gives of a class: of several products, the longest. */
function grantOf({ id, paidAt, until, gifts, givenAt, ends }: Payment, classId: string): Grant {
	const months = gifts.filter((gift) => gift.classId === classId).map((gift) => gift.months);
	const endedAt = ends.get(classId) ?? Infinity;
	return { id, paidAt: paidAt!, until, months: Math.max(...months), givenAt, endedAt };
}

/** A period, and what a payment gives more: until a day, or for months, whichever is longer. */
function prolonged(period: Period, { paidAt, until, months }: Grant): Period {
	const byDay = endingAt(Math.max(period.end, until ?? 0));
	if (months === 0) return byDay;
	const isRenewal = period.end >= paidAt;
	const start = isRenewal ? period.start : paidAt;
	const all = months + (isRenewal ? period.months : 0);
	const end = DateTime.fromMillis(start).plus({ months: all }).endOf('day').toMillis();
	return end > byDay.end ? { end, start, months: all } : byDay;
}

const endingAt = (end: Time): Period => ({ end, start: end, months: 0 });
