// What was bought, for how many months, and what of it isn't recorded yet? At night, whose access is to be checked?
const rowsOf = (node, run) => Array.from($(node).all(0, run), ({ json }) => json);
const trim = (text) => String(text ?? '').trim();
const lower = (text) => trim(text).toLowerCase();
const isNight = !$('Sale').isExecuted;
const own = rowsOf('Look Up Payment', isNight ? 0 : $runIndex).filter(({ id }) => id);
const table = rowsOf('Get Products', 0).filter(({ classId }) => trim(classId));
const classIds = table.map(({ classId }) => trim(classId));
const buyers = new Set(own.map(({ email }) => lower(email)));
if (isNight) return Array.from(buyers, (email) => ({ email, classIds }));

const sale = $('Sale').first().json;
const { paymentId, status, name } = sale;
const now = new Date().toISOString();
const [paidAt, until] = [trim(sale.paidAt) || now, trim(sale.until) || null];
const isRefund = status === 'refunded';
// A buyer who was added, or gets the money back, keeps the address of the payment.
const kept = own.find((row) => row.email && (isRefund || row.enrolledAt));
const email = lower((kept ?? sale).email);
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
// What is edited in an old order gets no classes, which its products may have only today.
const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
if (own.some(({ createdAt, enrolledAt }) => enrolledAt && createdAt < weekAgo)) return result({});

// One code, several with commas, or a list as JSON. An item without a code has the code "none".
const plain = (code) => lower(code).replace(/^\W*null\W*$|[\s"[\]]/g, '') || 'none';
const codesIn = (text) => trim(text).split(',').map(plain);
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
if (problems.length > 0) return result({ problems });
const isKeptAs = (id) => (row) => row.classId === id && (row.enrolledAt || row.email === email);
const isNew = ([id]) => id !== '-' && !own.some(isKeptAs(id));
const unrecorded = [...bought].filter(isNew).map(([classId, months]) => {
	return { paymentId, classId, email, name, paidAt, until, months: until ? null : months };
});
return result({ unrecorded });
