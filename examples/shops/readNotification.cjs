// Makes of every shop's notification the same sale, or says why there is none.
const given = $input.first().json;
const { body } = $('Notification Received').first().json;
const trim = (value) => (value ?? '').trim();
const problem = trim(given.problem);
const status = trim(given.status);
const OTHER = /[^a-z0-9]/g; // separators and accents
const plain = (text) => text.toLowerCase().normalize('NFD').replace(OTHER, '');
// A status such as `other event: payment.created` says after the colon what exactly it is.
const word = plain(status.split(': ')[0]);
const has = (list) => word && trim(list).split(',').map(plain).includes(word);
// A date is a text, without a zone in UTC, or seconds or milliseconds since 1970.
const dateOf = (text) => {
	const milliseconds = text * (text < 1e11 ? 1000 : 1);
	const isText = !text || isNaN(text);
	const date = isText ? DateTime.fromISO(text, { zone: 'utc' }) : DateTime.fromMillis(milliseconds);
	return date.toUTC().toISO() ?? text;
};
// One code, several with commas, or a list of codes or of objects with a code.
const products = trim(given.products);
let list = [products];
try {
	if (/^[[{]/.test(products)) list = [JSON.parse(products)].flat();
} catch {
	// A code such as `[Python]` is no JSON.
}
const isObject = (item) => item !== null && typeof item === 'object';
const codeOf = (item) => (isObject(item) ? item[trim(given.productCode)] : item);
const unread = list.find((item) => isObject(item) && !codeOf(item));
const sale = {
	paymentId: trim(given.paymentId),
	email: trim(given.email).toLowerCase(),
	name: trim(given.name),
	products: JSON.stringify(list.map(codeOf)),
	paidAt: dateOf(trim(given.paidAt)),
	until: dateOf(trim(given.until)),
};
const ignored = (reason) => {
	return { ...sale, code: 200, result: 'ignored', reason: `Nothing to do: ${reason}.` };
};
const failed = (reason, code = 422) => {
	const failure = `Payment ${sale.paymentId || '(unknown)'} of ${sale.email || 'nobody'}:\n${reason}`;
	return { ...sale, code, result: 'failed', reason, failure };
};
// The proof comes first, so that a mistyped secret shows with the first notification of any kind.
const secret = 'Check the secret in the credential of Compute Signature.';
const forged = `The signature or token is wrong, or this is not sent as JSON. ${secret}`;
if (given.isGenuine !== undefined && given.isGenuine !== true) return failed(forged, 403);
if (typeof body !== 'object') return failed('The notification is not sent as JSON.');
if (Object.keys(body).length === 0) return ignored('a test without content');
if (problem) return failed(problem);
if (has(given.nothingToDo)) return ignored(`the status is "${status}"`);
if (!status) return failed('The status is missing.');
if (has(given.refunded)) return { ...sale, status: 'refunded', isSale: true };
if (!has(given.paid))
	return failed(`Unknown status: "${status}". It is on no list in What the Shop Sends.`);
if (!unread) return { ...sale, status: 'paid', isSale: true };
const fields = Object.keys(unread).join(', ');
const advice = 'The products are objects. Enter as productCode which field has the code:';
return failed(`${advice} ${fields}.`);
