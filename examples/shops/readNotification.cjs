// Says what the notification means: one of the lists of words below, or a problem.
const { paid, refunded, nothingToDo, isGenuine, ...fields } = $input.first().json;
const trim = (value) => (value ?? '').trim();
const plain = (text) =>
	text
		.toLowerCase()
		.normalize('NFD')
		.replace(/[\s_\-\u0300-\u036f]/g, '');
const has = (list, status) =>
	trim(list).split(',').map(plain).filter(Boolean).includes(plain(status));

const payment = {
	paymentId: trim(fields.paymentId),
	status: trim(fields.status),
	email: trim(fields.email).toLowerCase(),
	name: trim(fields.name),
	products: trim(fields.products),
};
const { paymentId, status } = payment;
const lists = Object.entries({ paid, refunded, nothingToDo });
const meaning = lists.find(([, list]) => has(list, status))?.[0];

if (meaning === 'nothingToDo')
	return { ...payment, meaning, result: 'ignored', reason: `The status is "${status}".` };
if (isGenuine === false)
	return {
		...payment,
		meaning: 'forged',
		problem: 'The signature is wrong. Check the secret in the credential of Compute Signature.',
	};
if (!paymentId || !status)
	return { ...payment, meaning: 'unclear', problem: 'The payment ID or the status is missing.' };
if (!meaning)
	return {
		...payment,
		meaning: 'unclear',
		problem: `Unknown status: "${status}". It is on no list in What the Shop Sends.`,
	};
return { ...payment, meaning };
