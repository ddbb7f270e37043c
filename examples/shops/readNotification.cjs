// Makes of every shop's notification the same sale, or says why there is none.
const { paid, refunded, nothingToDo, isGenuine, ...fields } = $input.first().json;
const trim = (value) => (value ?? '').trim();
const plain = (text) =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(/[\s_\-\u0300-\u036f]/g, '');
const has = (list) =>
	trim(list)
		.split(',')
		.map(plain)
		.filter(Boolean)
		.includes(plain(fields.status ?? ''));
// A time may be a text, or seconds or milliseconds since 1970. Without a zone, it is UTC.
const timeOf = (value) => {
	const number = Number(trim(value)) * (Number(trim(value)) < 1e11 ? 1000 : 1);
	return isNaN(number)
		? DateTime.fromISO(trim(value), { zone: 'utc' })
		: DateTime.fromMillis(number);
};

const sale = { executionId: $execution.id };
for (const field of ['paymentId', 'email', 'name', 'products']) sale[field] = trim(fields[field]);
for (const field of ['paidAt', 'until'])
	sale[field] = trim(fields[field]) ? timeOf(fields[field]).toUTC().toISO() : undefined;
sale.email = sale.email.toLowerCase();
const status = trim(fields.status);
const problem = (code, reason) => {
	const failure = `Payment ${sale.paymentId} of ${sale.email}:\n${reason}`;
	return { ...sale, code, result: 'failed', reason, failure };
};
if (isGenuine === false)
	return problem(
		403,
		'The signature is wrong. Check the secret in the credential of Compute Signature.',
	);
if (has(nothingToDo))
	return { ...sale, code: 200, result: 'ignored', reason: `The status is "${status}".` };
if (!sale.paymentId || !status) return problem(422, 'The payment ID or the status is missing.');
if ([sale.paidAt, sale.until].includes(null)) return problem(422, 'paidAt or until is no date.');
if (has(paid)) return { ...sale, status: 'paid' };
if (has(refunded)) return { ...sale, status: 'refunded' };
return problem(422, `Unknown status: "${status}". It is on no list in What the Shop Sends.`);
