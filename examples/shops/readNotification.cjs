// Makes of every shop's notification the same sale, or says why there is none.
const { paid, refunded, nothingToDo, isGenuine, problem, productCode, ...fields } =
	$input.first().json;
const { body } = $('Notification Received').first().json;
const trim = (value) => (value ?? '').trim();
const plain = (text) =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(/[\s_\-\u0300-\u036f]/g, '');
const status = trim(fields.status);
// A status such as `other event: payment.created` says after the colon what exactly it is.
const [word] = status.split(': ');
const has = (list) => trim(list).split(',').map(plain).filter(Boolean).includes(plain(word));
// A time may be a text, or seconds or milliseconds since 1970. Without a zone, it is UTC.
const timeOf = (value) => {
	const number = Number(trim(value)) * (Number(trim(value)) < 1e11 ? 1000 : 1);
	return isNaN(number)
		? DateTime.fromISO(trim(value), { zone: 'utc' })
		: DateTime.fromMillis(number);
};
// One code, several with commas, or a list of codes or of objects with a code.
const text = trim(fields.products);
let list = [text];
try {
	if (/^[[{]/.test(text)) list = [JSON.parse(text)].flat();
} catch {
	// A code such as `[2027] Python` is no JSON.
}
const isObject = (item) => item !== null && typeof item === 'object';
const unread = list.find((item) => isObject(item) && !item[trim(productCode)]);
const codes = list.map((item) => (isObject(item) ? item[trim(productCode)] : item));

const sale = { products: JSON.stringify(codes) };
for (const field of ['paymentId', 'email', 'name']) sale[field] = trim(fields[field]);
for (const field of ['paidAt', 'until'])
	sale[field] = trim(fields[field]) ? timeOf(fields[field]).toUTC().toISO() : undefined;
sale.email = sale.email.toLowerCase();
const nothing = (reason) => ({ ...sale, code: 200, result: 'ignored', reason });
const failed = (code, reason) => {
	const failure = `Payment ${sale.paymentId || '(unknown)'} of ${sale.email || 'nobody'}:\n${reason}`;
	return { ...sale, code, result: 'failed', reason, failure };
};
// The proof comes first, so that a mistyped secret shows with the first notification of any kind.
if (isGenuine !== undefined && isGenuine !== true)
	return failed(
		403,
		'The signature or token is wrong, or this is not sent as JSON. Check the secret in the credential of Compute Signature.',
	);
if (typeof body !== 'object') return failed(422, 'The notification is not sent as JSON.');
if (Object.keys(body).length === 0) return nothing('Nothing to do: a test without content.');
if (trim(problem)) return failed(422, trim(problem));
if (has(nothingToDo)) return nothing(`Nothing to do: the status is "${status}".`);
if (!status) return failed(422, 'The status is missing.');
if (!has(paid) && !has(refunded))
	return failed(422, `Unknown status: "${status}". It is on no list in What the Shop Sends.`);
if (!sale.paymentId) return failed(422, 'The payment ID is missing.');
if ([sale.paidAt, sale.until].includes(null)) return failed(422, 'paidAt or until is no date.');
if (has(refunded)) return { ...sale, status: 'refunded', isSale: true };
if (unread)
	return failed(
		422,
		`The products are objects. In What the Shop Sends, enter as productCode which field has the code: ${Object.keys(unread).join(', ')}.`,
	);
return { ...sale, status: 'paid', isSale: true };
