// How long each access should last.
import { DateTime } from 'luxon';

import { NO_CLASS, type Payment } from './payments';
import type { Sale } from './tables';
import type { Time } from './types';

/** Platforms and databases know no later end. */
export const LAST_END: Time = Date.UTC(9999, 11, 30);

/** Names a student's row: an address and a class. */
export const keyOf = ({ email, classId }: { email: string; classId: string }): string =>
	`${email} ${classId}`;

/** What all sales together say of an address and a class. */
export interface DesiredAccess {
	email: string;
	classId: string;
	name: string;
	/** When it should end. In the past, or 0: it has ended, or was taken back. */
	end: Time;
	/** When the last of it was recorded. */
	givenAt: Time;
	/** A row that isn't carried out yet is about it. So it is asked again, also after a rejection. */
	isOpen: boolean;
	/** Payments that prolong nothing, because others last as long: by their ID, until when. */
	uselessPayments: Map<string, Time>;
}

interface Period {
	end: Time;
	/** From when so many months count, so that the 31st stays the 31st. */
	start: Time;
	months: number;
}

/** What a payment gives of a class. */
interface Grant extends Pick<Payment, 'id' | 'until'> {
	paidAt: Time;
	/** The first row that gave it, and since when it is of this address. */
	saleId: number;
	givenAt: Time;
	months: number;
}

/**
 * When each access should end, by address and class. Payments add up in the order in which they were made. Months include the
 * last day. An end by hand cuts what was recorded before it. Who has an access that ended has a past one.
 */
export function desired(payments: Payment[], sales: Sale[]): Map<string, DesiredAccess> {
	const endings = sales.filter(({ kind, problem }) => kind === 'ended' && problem === undefined);
	const accesses = new Map<string, DesiredAccess>();
	for (const payment of payments)
		for (const email of payment.emails)
			for (const { classId } of payment.gifts) {
				const key = keyOf({ email, classId });
				if (classId === NO_CLASS || accesses.has(key)) continue;
				const isAbout = ({ emails, gifts }: Payment) =>
					emails.includes(email) && gifts.some((gift) => gift.classId === classId);
				accesses.set(key, accessOf(email, classId, payments.filter(isAbout), endings));
			}
	return accesses;
}

/** @param payments all that have given this class to this address, also if they were refunded or have moved */
function accessOf(
	email: string,
	classId: string,
	payments: Payment[],
	endings: Sale[],
): DesiredAccess {
	const own = payments.filter((payment) => payment.email === email && !payment.isRefunded);
	const ends = endings.filter((sale) => sale.email === email && sale.classId === classId);
	const sales = payments.flatMap((payment) => payment.sales);
	const grants = own.map((payment) => grantOf(payment, classId, endings));
	const uselessPayments = new Map<string, Time>();
	return {
		email,
		classId,
		name: sales.reduce((known, { name }) => name || known, ''),
		end: endOfAccess(grants, ends, uselessPayments),
		givenAt: Math.max(0, ...grants.map((grant) => grant.givenAt)),
		isOpen: [...sales, ...ends].some(({ isDone }) => !isDone),
		uselessPayments,
	};
}

/**
 * What a payment gives of a class. Several of its products may have the same class: then the longest counts. What an owner has
 * ended at a former address ends at the new one, too.
 */
function grantOf(payment: Payment, classId: string, endings: Sale[]): Grant {
	const { id, paidAt, until, gifts, sales, email, emails, ownedSince } = payment;
	const months = gifts.filter((gift) => gift.classId === classId).map((gift) => gift.months);
	const sale = sales.find((row) => row.gifts.some((gift) => gift.classId === classId))!;
	const givenAt = Math.max(sale.receivedAt, ownedSince);
	const grant = {
		id,
		paidAt: paidAt!,
		until,
		saleId: sale.id,
		givenAt,
		months: Math.max(...months),
	};
	const ends = endings
		.filter((ending) => ending.classId === classId && ending.id > sale.id)
		.filter((ending) => ending.email !== email && emails.includes(ending.email))
		.filter(({ receivedAt }) => receivedAt <= ownedSince)
		.map((ending) => ending.until ?? ending.receivedAt);
	const end = Math.min(...ends);
	return end < prolonged(undefined, grant).end ? { ...grant, until: end } : grant;
}

/**
 * When an access ends: the payments between two endings by hand add up, and each ending cuts what they gave. What was recorded
 * first counts first: the rows' IDs grow. Payments that gave nothing are noted in `uselessPayments`.
 */
function endOfAccess(grants: Grant[], endings: Sale[], useless: Map<string, Time>): Time {
	const inOrder = [...grants].sort((a, b) => a.paidAt - b.paidAt || a.saleId - b.saleId);
	let period: Period | undefined;
	let from = 0;
	for (const ending of [...endings.sort((a, b) => a.id - b.id), undefined]) {
		const to = ending?.id ?? Infinity;
		for (const grant of inOrder.filter(({ saleId }) => saleId > from && saleId < to)) {
			const next = prolonged(period, grant);
			if (period && next.end <= period.end) useless.set(grant.id, period.end);
			period = next;
		}
		if (ending && period) {
			const end = Math.min(period.end, ending.until ?? ending.receivedAt);
			period = { end, start: end, months: 0 };
		}
		from = to;
	}
	return Math.min(period?.end ?? 0, LAST_END);
}

function prolonged(before: Period | undefined, { paidAt, until, months }: Grant): Period {
	if (until !== null) {
		const end = Math.max(before?.end ?? 0, until);
		return { end, start: end, months: 0 };
	}
	const isRenewal = before !== undefined && before.end >= paidAt;
	const start = isRenewal ? before.start : paidAt;
	const all = months + (isRenewal ? before.months : 0);
	const end = DateTime.fromMillis(start).plus({ months: all }).endOf('day').toMillis();
	return { end: Math.max(before?.end ?? 0, end), start, months: all };
}
