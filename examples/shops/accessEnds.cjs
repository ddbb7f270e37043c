// When does each access end? Payments add up in the order in which they were paid.
const { sale, classIds } = $('What Was Bought').first().json;
const timeOf = (date) => new Date(date).getTime();
const startOf = (row) => timeOf(row.paidAt ?? row.createdAt);
// Look Up finds more: every address that contains the buyer's. They count for themselves.
const found = Array.from($input.all(), ({ json }) => json).filter(({ id }) => id);
const rows = found.map((row) => {
	return { ...row, email: (row.email ?? '').trim().toLowerCase(), name: row.name ?? '' };
});
rows.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);

const refunded = new Set(rows.filter(({ endedAt }) => endedAt).map(({ paymentId }) => paymentId));
const counted = new Set();
const given = new Set();
const ends = new Map();
for (const row of rows) {
	row.key = `${row.email} ${row.classId}`;
	row.isRefunded = refunded.has(row.paymentId);
	const before = ends.get(row.key) ?? 0;
	const start = DateTime.fromMillis(Math.max(before, startOf(row)));
	const until = row.until ? timeOf(row.until) : start.plus({ months: row.months ?? 12 }).toMillis();
	const end = Math.max(before, until);
	// A payment that came after its end has given nothing.
	const isGiven = row.enrolledAt || end > timeOf(row.createdAt);
	if (isGiven && !row.removedAt) given.add(row.key);
	// PostgreSQL may hold a row twice that two executions recorded at the same moment. The night may find one twice.
	const payment = `${row.paymentId} ${row.key}`;
	if (row.isRefunded || counted.has(payment)) continue;
	counted.add(payment);
	ends.set(row.key, end);
}
for (const row of rows) {
	const end = ends.get(row.key) ?? 0;
	row.isPaid = end > Date.now(); // by this payment or another one
	row.hasAccess = row.isPaid && !row.isRefunded;
	row.isGiven = given.has(row.key);
	// A class that was corrected in class_products before anybody was added is none.
	const isClass = row.enrolledAt || classIds.includes(row.classId);
	row.isOwn = Boolean(isClass && (!sale || row.paymentId === sale.paymentId));
	// At night, also a renewal is told again: a night that died may have removed its buyer.
	row.isDue = row.isOwn && timeOf(row.expiresAt) <= Date.now();
	row.end = row.isPaid ? new Date(end).toISOString() : null;
}
return { rows };
