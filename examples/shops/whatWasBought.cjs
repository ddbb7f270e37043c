// What was bought, for how many months, and what of it isn't recorded yet? At night, whose access is to be checked?
const rowsOf = (node, run) => Array.from($(node).all(0, run), ({ json }) => json);
const trim = (text) => String(text ?? '').trim();
const lower = (text) => trim(text).toLowerCase();
const [sale, ...others] = $('Sale').isExecuted ? rowsOf('Sale', 0) : [];
const own = rowsOf('Look Up Payment', sale ? $runIndex : 0).filter(({ id }) => id);
const table = rowsOf('Get Products', 0).map((row) => ({ ...row, classId: trim(row.classId) }));
const classIds = table.map(({ classId }) => classId);
const buyers = new Set(own.map(({ email }) => lower(email)));
if (!sale) return [...buyers].map((email) => ({ email, classIds }));

const [paymentId, status, name] = [sale.paymentId, sale.status, sale.name].map(trim);
const now = new Date().toISOString();
const [paidAt, until] = [trim(sale.paidAt) || now, trim(sale.until) || null];
const isRefund = status === 'refunded';
const isRefunded = isRefund || own.some(({ endedAt }) => endedAt);
// A buyer who was added, or gets the money back, keeps the address of the payment.
const kept = own.find((row) => row.email && (isRefund || row.enrolledAt));
const email = lower((kept ?? sale).email);
const problems = [];
const check = (isRight, problem) => isRight || problems.push(problem);
check(others.length === 0, 'Several sales at once. Loop Over Items gives them one by one.');
check(paymentId && typeof sale.paymentId !== 'object', 'The payment ID is missing.');
check(isRefund || status === 'paid', "The status is neither 'paid' nor 'refunded'.");
check(isRefund || /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email), `No email address: "${email}".`);
check(![paidAt, until ?? now].some((date) => isNaN(new Date(date))), 'A date is invalid.');

// What is edited in an old order gets no classes, which its products may have only today.
const weekAgo = new Date(Date.now() - 7 * 86_400_000).toISOString();
const isOld = own.some(({ createdAt, enrolledAt }) => enrolledAt && createdAt < weekAgo);
const isWhole = own.every(({ classCount }) => own.length >= classCount); // n8n may die at a record
// One code, several with commas, or a list as JSON. An item without a code has the code "without-code".
const plain = (code) => lower(code).replace(/^\W*null\W*$|[\s"[\]]/g, '') || 'without-code';
const codesIn = (text) => trim(text).split(',').map(plain);
const bought = new Map();
for (const code of isRefunded || (isOld && isWhole) ? [] : codesIn(sale.products)) {
	const isOf = ({ product, classId }) => product && classId && codesIn(product).includes(code);
	const rows = table.filter(isOf);
	check(rows.length > 0, `Unknown product: ${code}. Enter it in the data table class_products.`);
	for (const { classId, months: given } of rows) {
		const months = Math.max(given ?? 12, bought.get(classId)?.months ?? 0);
		const isRight = Number.isInteger(months) && months >= 1 && months <= 1200;
		check(isRight, `The months of product ${code} aren't a whole number from 1 to 1200.`);
		bought.set(classId, { paymentId, classId, email, name, paidAt, until, months });
	}
}
bought.delete('-'); // no class
for (const row of own) if (row.enrolledAt || row.email === email) bought.delete(row.classId);
const rows = own.length > 0 ? own : [{ paymentId, email }]; // a refund may come first
const ended = rows.filter((row) => !row.endedAt).map((row) => ({ ...row, endedAt: now }));
const unrecorded = problems.length > 0 ? [] : isRefunded ? ended : [...bought.values()];
return { sale: { ...sale, paymentId, status }, email, classIds, isRefunded, problems, unrecorded };
