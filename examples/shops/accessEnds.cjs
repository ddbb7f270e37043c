// When does each access end? Payments add up in the order in which they were paid.
const bought = $('What Was Bought').all().map(({ json }) => json); // prettier-ignore
const buyers = new Set(bought.map(({ email }) => email));
const { sale, classIds } = bought[0];
const timeOf = (date) => new Date(date).getTime();
const startOf = (row) => timeOf(row.paidAt ?? row.createdAt);
// Look Up finds more: every address that contains the buyer's.
const isMeant = ({ id, paymentId, email }) =>
	id && (paymentId === sale?.paymentId || buyers.has(email));
const byId = new Map($input.all().map(({ json }) => [json.id, json]));
const rows = Array.from(byId.values(), (row) => {
	return { ...row, email: (row.email ?? '').trim().toLowerCase() };
})
	.filter(isMeant)
	.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);

const refunded = new Set(rows.filter(({ endedAt }) => endedAt).map(({ paymentId }) => paymentId));
const counted = new Set();
const ends = new Map();
for (const row of rows) {
	row.key = `${row.email} ${row.classId}`;
	row.isRefunded = refunded.has(row.paymentId);
	const before = ends.get(row.key) ?? 0;
	const start = DateTime.fromMillis(Math.max(before, startOf(row)));
	const until = row.until ? timeOf(row.until) : start.plus({ months: row.months ?? 12 }).toMillis();
	row.ownEnd = Math.max(before, until);
	// PostgreSQL may hold a row twice that two executions recorded at the same moment.
	const payment = `${row.paymentId} ${row.key}`;
	if (row.isRefunded || counted.has(payment)) continue;
	counted.add(payment);
	ends.set(row.key, row.ownEnd);
}
for (const row of rows) {
	const end = ends.get(row.key) ?? 0;
	row.isPaid = end > Date.now(); // by this payment or another one
	row.hasAccess = row.isPaid && !row.isRefunded;
	// A payment that came after its end has given nothing.
	row.isGiven = row.enrolledAt || Math.max(row.ownEnd, end) > timeOf(row.createdAt);
	// A class that was corrected in class_products before anybody was added is none.
	const isClass = row.enrolledAt || classIds.includes(row.classId);
	row.isOwn = Boolean(isClass && (!sale || row.paymentId === sale.paymentId));
	row.end = row.isPaid ? new Date(end).toISOString() : null;
}
return { rows };
