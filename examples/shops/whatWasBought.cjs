// What was bought, for how many months, and what of it isn't recorded yet? At night, whose access is to be checked?
const jsonOf = (node) => $(node).all().map(({ json }) => json); // prettier-ignore
const trim = (text) => String(text ?? '').trim();
const table = jsonOf('Get Products').filter(({ classId }) => trim(classId));
const classIds = table.map(({ classId }) => trim(classId));
const plain = (code) =>
	trim(code)
		.toLowerCase()
		.replace(/[\s"[\]]/g, '');
const isNight = !$('Sale').isExecuted;
const found = $('Look Up Payment').all(0, isNight ? 0 : $runIndex);
const own = found.map(({ json }) => json).filter(({ id }) => id);
const emailOf = (row) => trim(row.email).toLowerCase();
if (isNight) {
	const buyers = [...new Set(own.map(emailOf))];
	// To read the table once is faster than to look up many buyers.
	return (buyers.length > 100 ? ['%'] : buyers).map((email) => ({ email, classIds }));
}

const sale = jsonOf('Sale')[0];
const { paymentId, status, name } = sale;
const now = new Date().toISOString();
const [paidAt, until] = [trim(sale.paidAt) || now, trim(sale.until) || null];
const isRefund = status === 'refunded';
// A buyer who was added, or gets the money back, keeps the address of the payment.
const email = emailOf(own.find((row) => row.email && (isRefund || row.enrolledAt)) ?? sale);
const isRefunded = isRefund || own.some(({ endedAt }) => endedAt);
const result = (more) => ({ sale, email, classIds, isRefunded, ...more });
const problems = [];
const check = (isRight, problem) => isRight || problems.push(problem);
check(paymentId, 'The payment ID is missing.');
check(isRefund || status === 'paid', "The status is neither 'paid' nor 'refunded'.");
check(isRefund || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email), `No email address: "${email}".`);
check(![paidAt, until ?? now].some((date) => isNaN(new Date(date))), 'A date is invalid.');
if (problems.length > 0) return result({ problems });

if (isRefunded) {
	const open = own.length > 0 ? own.filter(({ endedAt }) => !endedAt) : [{ paymentId, email }];
	return result({ unrecorded: open.map((row) => ({ ...row, endedAt: now })) });
}
// An old order that is edited doesn't get the classes that its products have today.
const isOld = (row) => row.enrolledAt && Date.now() - new Date(row.createdAt) > 86_400_000;
if (own.length > 0 && own.every(isOld)) return result({});

// One code, several with commas, or a list as JSON. An item without a code has the code "none".
const codesIn = (text) =>
	plain(text).split(',').map((code) => code.replace(/^(null)?$/, 'none')); // prettier-ignore
const bought = new Map();
for (const code of codesIn(sale.products)) {
	const rows = table.filter(({ product }) => product && codesIn(product).includes(code));
	check(rows.length > 0, `Unknown product: ${code}. Enter it in the data table class_products.`);
	for (const { classId, months } of rows) {
		const number = Number(months ?? 12);
		const isRight = Number.isInteger(number) && number >= 1 && number <= 1200;
		check(isRight, `The months of product ${code} aren't a whole number from 1 to 1200.`);
		bought.set(trim(classId), Math.max(number, bought.get(trim(classId)) ?? 0));
	}
}
bought.delete('-');
if (problems.length > 0) return result({ problems });
const isNew = ([id]) =>
	!own.some((row) => row.classId === id && (row.enrolledAt || row.email === email));
const unrecorded = [...bought].filter(isNew).map(([classId, months]) => {
	return { paymentId, classId, email, name, paidAt, until, months: until ? null : months };
});
return result({ unrecorded });
