// Decides what is left to do for a payment, by what the data tables say. `next` is the output of What Is Left?.
const { paymentId, email, products } = $('Read Notification').first().json;
const rowsOf = (name) =>
	$(name)
		.all()
		.map(({ json }) => json)
		.filter(({ id }) => id);
const isAfter = (time, other) => new Date(time) > other;
const minutesAgo = (minutes) => DateTime.utc().minus({ minutes }).toJSDate();

// The table finds an address as part of another, too.
const isOfBuyer = (row) => (row.email ?? '').trim().toLowerCase() === email;

// What this payment has done before.
const rows = rowsOf('Look Up Access');
const own = rows.filter((row) => row.paymentId === paymentId);
if (own.some(({ endedAt }) => endedAt)) {
	const reason = 'The access of this payment has ended, usually by a refund.';
	return { next: 'answer', result: 'not enrolled', reason };
}
if (own.length > 0 && own.every(({ linkSentAt }) => linkSentAt))
	return { next: 'answer', result: 'already processed' };
// Another execution is at work. After half a minute, it may have ended with n8n.
if (own.some(({ workingSince }) => workingSince && isAfter(workingSince, minutesAgo(0.5))))
	return { next: 'wait' };

// The products. A text may be one code, or several with commas; `null` is an item without a product.
const table = rowsOf('Get Products').map(({ product, classId, months }) => ({
	product: (product ?? '').trim(),
	classId: (classId ?? '').trim(),
	months: Number(months ?? 12),
}));
const classesOf = (code) => table.filter(({ product, classId }) => product === code && classId);
const isList = products.startsWith('[') && classesOf(products).length === 0;
const texts = classesOf(products).length > 0 ? [products] : products.split(',');
const given = isList ? JSON.parse(products) : products ? texts : [];
const codes = given.filter((code) => code !== null).map((code) => String(code).trim());

const problems = [
	...(given.length === 0 ? ['The payment contains no product.'] : []),
	...(codes.includes('') ? ['A product has no code.'] : []),
	...codes
		.filter((code) => code && classesOf(code).length === 0)
		.map((code) => `Unknown product: ${code}. The data table class_products has no class for it.`),
	...codes
		.filter((code) =>
			classesOf(code).some(({ months }) => !(Number.isInteger(months) && months > 0)),
		)
		.map((code) => `The months of product ${code} in class_products are no whole number above 0.`),
];
if (problems.length > 0) return { next: 'problem', problem: problems.join(' ') };

const bought = codes.flatMap(classesOf).filter(({ classId }) => classId !== '-');
const classIds = [...new Set(bought.map(({ classId }) => classId))];
if (classIds.length === 0)
	return { next: 'answer', result: 'ignored', reason: 'None of the products is a class.' };

// Other access of the same buyer that goes on.
const others = rows.filter(
	(row) =>
		isOfBuyer(row) &&
		row.paymentId !== paymentId &&
		!row.endedAt &&
		!row.removedAt &&
		(!row.paymentId || row.enrolledAt || row.linkSentAt) &&
		(!row.expiresAt || isAfter(row.expiresAt, new Date())),
);
const plans = classIds.map((classId) => {
	const before = others.filter((row) => row.classId === classId);
	const done = own.find((row) => row.classId === classId && row.email === email);
	const ends = before.map(({ expiresAt }) => expiresAt);
	const months = Math.max(
		...bought.filter((row) => row.classId === classId).map((row) => row.months),
	);
	// The months begin when the access ends that the buyer has.
	const start = Math.max(Date.now(), ...ends.map((end) => new Date(end).getTime()));
	const end = DateTime.fromMillis(start).plus({ months }).toUTC().toISO();
	return {
		classId,
		expiresAt: done?.expiresAt ?? (ends.includes(null) ? null : end),
		isEnrolled: Boolean(done?.enrolledAt),
		isRenewal: before.some(({ linkSentAt }) => linkSentAt),
	};
});

// A renewal needs no link, nor does another part of an order whose link has just been sent.
const sent =
	others
		.map(({ linkSentAt }) => linkSentAt)
		.filter(Boolean)
		.sort()
		.at(-1) ?? null;
const needsLink =
	!plans.every(({ isRenewal }) => isRenewal) && !(sent && isAfter(sent, minutesAgo(10)));
const left = plans.filter(({ isEnrolled }) => !isEnrolled);
if (left.length === 0) return { next: 'link' };
return left.map((plan) => ({ next: 'enroll', ...plan, linkSentAt: needsLink ? null : sent }));
