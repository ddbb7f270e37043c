// When does each access end? Payments add up in the order in which they were paid.
const { classIds } = $('What Was Bought').first().json;
const timeOf = (date) => new Date(date).getTime();
const found = $input.all().map(({ json }) => json);
const refunded = new Set(found.filter((row) => row.endedAt).map((row) => row.paymentId));
// A class that was corrected in class_products before anybody was added is none.
const isOfClass = ({ classId, enrolledAt }) => enrolledAt || classIds.includes(classId);
// Look Up finds more: every address that contains the buyer's. They count for themselves.
const rows = found.filter(isOfClass).map((row) => {
	const email = (row.email ?? '').trim().toLowerCase();
	return { ...row, email, name: row.name ?? '', key: `${email} ${row.classId}` };
});
const startOf = ({ paidAt, createdAt }) => timeOf(paidAt ?? createdAt);
rows.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);

const ends = {};
const given = {};
const counted = new Set();
for (const row of rows) {
	const before = timeOf(ends[row.key] ?? 0);
	const start = DateTime.fromMillis(Math.max(before, startOf(row)));
	const until = row.until ? timeOf(row.until) : start.plus({ months: row.months ?? 12 }).toMillis();
	const end = Math.max(before, until);
	// A payment that came after its end has given nothing.
	given[row.key] ||= !row.removedAt && Boolean(row.enrolledAt || end > timeOf(row.createdAt));
	row.isRefunded = refunded.has(row.paymentId);
	// PostgreSQL may hold a row twice that two executions recorded at the same moment. The night may find one twice.
	const payment = `${row.paymentId} ${row.key}`;
	if (!row.isRefunded && !counted.has(payment)) ends[row.key] = new Date(end).toISOString();
	counted.add(payment);
}
return { rows, ends, given };
