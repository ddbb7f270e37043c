// When does each access end? Payments add up in the order in which they were paid.
const { sale } = $('What Was Bought').first().json;
const buyers = new Set($('What Was Bought').all().map(({ json }) => json.email)); // prettier-ignore
const FOREVER = 8.64e15;
const timeOf = (date) => new Date(date).getTime();
const emailOf = ({ email }) => (email ?? '').trim().toLowerCase();
const startOf = (row) => timeOf(row.paidAt ?? row.createdAt);
const paymentOf = (row) => row.paymentId || row.id;
const byId = new Map($input.all().map(({ json }) => [json.id, json]));
// Look Up finds more: every address that contains the buyer's.
const isMeant = ({ id, paymentId, email }) =>
	id && (paymentId === sale?.paymentId || buyers.has(email));
const rows = Array.from(byId.values(), (row) => ({ ...row, email: emailOf(row) }))
	.filter(isMeant)
	.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);

const endAfter = (before, row) => {
	const until = row.until ?? (row.paymentId ? null : row.expiresAt);
	if (before === FOREVER || (!row.months && !until)) return FOREVER;
	if (!row.months) return Math.max(before, timeOf(until));
	const start = DateTime.fromMillis(Math.max(before, startOf(row)));
	return start.plus({ months: row.months }).toMillis();
};

const refunded = new Set(rows.filter(({ endedAt }) => endedAt).map(paymentOf));
const counted = new Set();
const accesses = new Map();
for (const row of rows) {
	row.key = `${row.email} ${row.classId}`;
	row.isRefunded = refunded.has(paymentOf(row));
	const before = accesses.get(row.key) ?? { end: 0 };
	// A renewal continues an access. Each access gets one magic link.
	const isRenewal = before.end >= startOf(row);
	row.access = isRenewal ? before.id : row.id;
	const payment = `${paymentOf(row)} ${row.key}`;
	if (row.isRefunded || counted.has(payment)) continue;
	counted.add(payment);
	accesses.set(row.key, { id: row.access, end: endAfter(before.end, row) });
}
for (const row of rows) {
	const { id, end = 0 } = accesses.get(row.key) ?? {};
	row.isPaid = end > Date.now(); // by this payment or another one
	row.hasAccess = row.isPaid && !row.isRefunded;
	row.isCurrent = row.access === id;
	row.end = row.isPaid && end < FOREVER ? new Date(end).toISOString() : null;
}
return { rows };
