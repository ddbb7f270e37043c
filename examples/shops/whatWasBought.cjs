// What was bought, for how many months, and what of it isn't recorded yet? At night, whose access is to be checked?
const jsonOf = (node) => $(node).all().map(({ json }) => json); // prettier-ignore
const trim = (text) => String(text ?? '').trim();
const table = jsonOf('Get Products').filter(({ classId }) => trim(classId));
const classIds = table.map(({ classId }) => trim(classId));
const own = jsonOf('Look Up Payment').filter(({ id }) => id);
const plain = (code) =>
	trim(code)
		.toLowerCase()
		.replace(/[\s"[\]]/g, '');
if (!$('Sale').isExecuted) {
	const buyers = [...new Set(own.map((row) => trim(row.email).toLowerCase()))];
	// To read the table once is faster than to look up many buyers.
	return (buyers.length > 100 ? ['%'] : buyers).map((email) => ({ email, classIds }));
}

const sale = jsonOf('Sale')[0];
const { paymentId, name } = sale;
const now = new Date().toISOString();
const [paidAt, until] = [trim(sale.paidAt) || now, trim(sale.until) || null];
const isRefund = sale.status === 'refunded';
// A buyer who was added, or gets the money back, keeps the address of the payment.
const email =
	own.find((row) => row.email && (isRefund || row.enrolledAt))?.email ??
	trim(sale.email).toLowerCase();
const problems = [];
if (!paymentId) problems.push('The payment ID is missing.');
if (!isRefund && sale.status !== 'paid')
	problems.push("The status is neither 'paid' nor 'refunded'.");
if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email) && !isRefund)
	problems.push(`The email is no address: "${email}".`);
if ([paidAt, until ?? now].some((date) => isNaN(new Date(date))))
	problems.push("'paidAt' or 'until' is no date.");
if (problems.length > 0) return { sale, email, classIds, problems };

const isRefunded = isRefund || own.some(({ endedAt }) => endedAt);
if (isRefunded) {
	const open = own.length > 0 ? own.filter(({ endedAt }) => !endedAt) : [{ paymentId, email }];
	return {
		sale,
		email,
		classIds,
		isRefunded,
		unrecorded: open.map((row) => ({ ...row, endedAt: now })),
	};
}
// An old order that is edited doesn't get the classes that its products have today.
const isOld = (row) => row.enrolledAt && Date.now() - new Date(row.createdAt) > 86_400_000;
if (own.length > 0 && own.every(isOld)) return { sale, email, classIds };

// Products are one code, several with commas, or a list as JSON. An item without a code has the code "none".
const codesIn = (text) => plain(text).split(',').map((code) => (code && code !== 'null' ? code : 'none')); // prettier-ignore
const bought = new Map();
for (const code of codesIn(sale.products)) {
	const found = table.filter(({ product }) => product && codesIn(product).includes(code));
	if (found.length === 0)
		problems.push(`Unknown product: ${code}. Enter it in the data table class_products.`);
	for (const { classId, months } of found) {
		const number = Number(months ?? 12);
		if (!Number.isInteger(number) || number < 1 || number > 1200)
			problems.push(
				`The months of product ${code} in class_products aren't a whole number from 1 to 1200.`,
			);
		bought.set(trim(classId), Math.max(number, bought.get(trim(classId)) ?? 0));
	}
}
bought.delete('-');
if (problems.length > 0) return { sale, email, classIds, problems };
const isNew = ([id]) =>
	!own.some((row) => row.classId === id && (row.enrolledAt || row.email === email));
const unrecorded = [...bought].filter(isNew).map(([classId, months]) => {
	return { paymentId, classId, email, name, paidAt, until, months: until ? null : months };
});
return { sale, email, classIds, unrecorded };
