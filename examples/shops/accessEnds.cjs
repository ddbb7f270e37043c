// When does each access end? Payments add up in the order in which they were paid.
const { sale, email: buyer } = $('What Was Bought').first().json;
const FOREVER = 8.64e15;
const timeOf = (date) => new Date(date).getTime();
const startOf = (row) => timeOf(row.paidAt ?? row.createdAt);
const paymentOf = (row) => row.paymentId || row.id;
const rows = $input
	.all()
	.filter(({ json }) => json.id)
	.map(({ json }) => ({ ...json, email: (json.email ?? '').trim().toLowerCase() }))
	// Look Up finds more: every address that contains the buyer's.
	.filter((row) => !sale || row.paymentId === sale.paymentId || row.email === buyer)
	.sort((a, b) => startOf(a) - startOf(b));

const endAfter = (before, row) => {
	const until = row.until ?? row.expiresAt;
	if (before === FOREVER || (!row.months && !until)) return FOREVER;
	if (!row.months) return Math.max(before, timeOf(until));
	const start = DateTime.fromMillis(Math.max(before, startOf(row)));
	return start.plus({ months: row.months }).toMillis();
};

const refunded = new Set(rows.filter(({ endedAt }) => endedAt).map(paymentOf));
const counted = new Set();
const ends = new Map();
for (const row of rows) {
	row.key = `${row.email} ${row.classId}`;
	row.isRefunded = refunded.has(paymentOf(row));
	const payment = `${paymentOf(row)} ${row.key}`;
	if (row.isRefunded || counted.has(payment)) continue;
	counted.add(payment);
	ends.set(row.key, endAfter(ends.get(row.key) ?? 0, row));
}
for (const row of rows) {
	const end = ends.get(row.key) ?? 0;
	row.isPaid = end > Date.now(); // by this payment or another one
	row.hasAccess = row.isPaid && !row.isRefunded;
	row.end = row.isPaid && end < FOREVER ? new Date(end).toISOString() : null;
}
return { rows };
