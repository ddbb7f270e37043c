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
	const isRefunded = refunded.has(row.paymentId);
	return { ...row, email, name: row.name ?? '', key: `${email} ${row.classId}`, isRefunded };
});
const startOf = ({ paidAt, createdAt }) => timeOf(paidAt ?? createdAt);
rows.sort((a, b) => startOf(a) - startOf(b) || a.id - b.id);

const endsOf = (payments) => {
	const ends = {};
	for (const { key, until, months, ...row } of payments) {
		const before = timeOf(ends[key] ?? 0);
		const start = DateTime.fromMillis(Math.max(before, startOf(row)));
		const end = until ? timeOf(until) : start.plus({ months: months ?? 12 }).toMillis();
		ends[key] = new Date(Math.max(before, end)).toISOString();
	}
	return ends;
};
// PostgreSQL may hold a row twice that two executions recorded at the same moment. The night may find one twice.
const once = [...new Map(rows.map((row) => [`${row.paymentId} ${row.key}`, row])).values()];
const ends = endsOf(once.filter((row) => !row.isRefunded));
const endsOfAll = endsOf(once); // as if nothing had been refunded
// A payment that came after its end has given nothing.
const hasGiven = ({ key, enrolledAt, createdAt, removedAt }) =>
	!removedAt && Boolean(enrolledAt || timeOf(endsOfAll[key]) > timeOf(createdAt));
const given = Object.fromEntries(rows.filter(hasGiven).map(({ key }) => [key, true]));
return { rows, ends, given };
