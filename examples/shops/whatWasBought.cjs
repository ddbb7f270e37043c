// Which classes is the sale about, for how many months each, and what of it is not recorded yet? At night, there is no sale.
const jsonOf = (node) => $(node).all().map(({ json }) => json); // prettier-ignore
const trim = (text) => (text ?? '').trim();
const table = jsonOf('Get Products').filter(({ classId }) => trim(classId));
const classIds = table.map(({ classId }) => trim(classId));
if (!$('Sale').isExecuted) return { classIds };

const sale = jsonOf('Sale')[0];
const { paymentId, name, until = null, paidAt = new Date().toISOString() } = sale;
const isRefund = sale.status === 'refunded';
const own = jsonOf('Look Up Payment').filter(({ id }) => id);
// A buyer who is enrolled, or gets the money back, keeps the address of the payment.
const email = own.find((row) => row.email && (isRefund || row.enrolledAt))?.email ?? sale.email;
const isRefunded = isRefund || own.some(({ endedAt }) => endedAt);
if (isRefunded) {
	const open = own.length > 0 ? own.filter(({ endedAt }) => !endedAt) : [{ paymentId, email }];
	const unrecorded = open.map((row) => ({ ...row, endedAt: new Date().toISOString() }));
	return { sale, email, classIds, isRefunded, unrecorded };
}
// An old order that is edited does not get the classes that its products have today.
const isOld = (row) => row.enrolledAt && Date.now() - new Date(row.createdAt) > 86_400_000;
if (own.length > 0 && own.every(isOld)) return { sale, email, classIds };

// The shop may send one code, several with commas, or a list. `null` is an item without a product, such as a tip.
const items = sale.products.startsWith('[') ? JSON.parse(sale.products) : [sale.products];
const codesIn = (text) => text.split(',').map(trim);
const codes = items.filter((item) => item !== null).flatMap((item) => codesIn(String(item)));
const plain = (code) => code.toLowerCase().replace(/\s/g, '');
const isFor = (code) => (row) => codesIn(plain(row.product ?? '')).includes(plain(code));

const bought = new Map();
const problems = /^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)
	? []
	: [`'Email' is no address: "${email}".`];
for (const code of codes.length > 0 ? codes : ['']) {
	const found = code ? table.filter(isFor(code)) : [];
	if (found.length === 0)
		problems.push(
			`Unknown product: ${code || 'none'}. The data table class_products has no class for it.`,
		);
	for (const row of found) {
		const classId = trim(row.classId);
		const months = Number(row.months ?? 12);
		if (!Number.isInteger(months) || months < 1 || months > 1200)
			problems.push(
				`The months of product ${code} in class_products are no whole number from 1 to 1200.`,
			);
		bought.set(classId, Math.max(months, bought.get(classId) ?? 0));
	}
}
bought.delete('-');
if (problems.length > 0) return { sale, email, classIds, problems };
const isNew = ([id]) =>
	!own.some((row) => row.classId === id && (row.enrolledAt || row.email === email));
const unrecorded = [...bought].filter(isNew).map(([classId, number]) => {
	return { paymentId, classId, email, name, paidAt, until, months: until ? null : number };
});
return { sale, email, classIds, unrecorded };
