// Makes of every shop's notification the same sale, or says why there is none.
const given = { ...$input.first().json };
// What isn't filled in for another shop has the same name in its JSON. What is filled in may be missing: null.
for (const name in given) if (given[name] === '') given[name] = given.defaults?.[name];
const { body } = $('Notification Received').first().json;
const trim = (value) => (typeof value === 'object' ? '' : String(value ?? '').trim());
const status = trim(given.status);
// Letters of any script and digits, without accents.
const plain = (text) =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(/[^\p{L}\p{N}]/gu, '');
const has = (list, text = status) =>
	plain(text) && trim(list).split(',').map(plain).includes(plain(text));
// A date is an ISO text, without a zone in UTC, or seconds or milliseconds since 1970. A day stays a day. Any other is refused.
const dateOf = (text) => {
	if (/^\d{10}(\d{3})?$/.test(text)) return new Date(Number(text.padEnd(13, '0'))).toISOString();
	if (!/^\d{4}-\d\d-\d\d[T ]\d\d:/.test(text)) return text;
	return DateTime.fromISO(text.replace(' ', 'T'), { zone: 'utc' }).toUTC().toISO() ?? text;
};
const items = [given.products].flat();
const isSent = (field) => items.some((item) => trim(item?.[field]));
const [codeField, another] = trim(given.productCode).split(',').map(trim).filter(isSent);
const codes = items.map((item) => (another ? item : (item?.[codeField] ?? item)));
const names = Object.keys(codes.find((code) => code !== null && typeof code === 'object') ?? {});
const sale = {
	paymentId: trim(given.paymentId),
	email: trim(given.email).toLowerCase(),
	name: trim(given.name),
	// The codes of a list may have commas, so they stay a list.
	products: Array.isArray(given.products) ? codes.map(trim) : trim(codes[0]),
	paidAt: dateOf(trim(given.paidAt)),
	until: dateOf(trim(given.until)),
};
const ignored = (reason) => ({ ...sale, result: 'ignored', reason: `Nothing to do: ${reason}.` });
const failed = (reason) => ({ ...sale, result: 'failed', reason });
// The proof comes first, so that a mistyped secret shows with the first notification of any kind.
const forged = 'Wrong signature or token, or no JSON. Check the secret in Compute Signature.';
if (![undefined, true].includes(given.isGenuine)) return failed(forged);
if (typeof body !== 'object') return failed('The notification is not sent as JSON.');
if (Object.keys(body).length === 0) return ignored('a test without content');
if (given.problem || !status) return failed(given.problem || 'The status is missing.');
// A status such as `other event: payment.created` says after the colon what exactly it is.
if (has(given.nothingToDo) || has(given.nothingToDo, status.split(': ')[0]))
	return ignored(`the status is "${status}"`);
if (has(given.refunded)) return { ...sale, status: 'refunded', isSale: true };
const how = 'Add it after the last word of paid, refunded, or nothingToDo, publish, and retry.';
if (!has(given.paid)) return failed(`Unknown status: "${status}". ${how}`);
if (names[0])
	return failed(`In productCode, enter the field with the product's code: ${names.join(' or ')}.`);
return { ...sale, status: 'paid', isSale: true };
