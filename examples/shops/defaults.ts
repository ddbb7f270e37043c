// What is read of another shop's notification in place of what its owner hasn't filled in.
import type { Json } from '../codeNodes/n8n';
import { isObject } from './fields';
import type { NotificationFields } from './notification';
import { isSubscription } from './subscription';

/** What isn't filled in for another shop has the same name in its JSON. */
const WITH_DEFAULTS = [
	'paymentId',
	'status',
	'email',
	'name',
	'products',
	'paidAt',
	'until',
] as const;

/** What only a charge of a subscription has. */
const SUBSCRIPTION =
	/^(is_?)?(subscriptions?|subs|recurring(_?payment)?|recurrence|renewal|assinaturas?|recorr[eê]ncia|suscripci[oó]n)(_?(id|key|charge))?$/i;
/** How often its plan is paid. The interval of instalments is a number. */
const INTERVAL = /^(billing_?)?interval$/i;
const PERIOD = /day|dai|week|month|quarter|year|annual/i;
/** What its event, or the type of its order, product, or plan is called. */
const OF_SUBSCRIPTION =
	/(?<!(?<![a-z])no[nt]?[-_ ]?)(subscription|recurring|recurrent|renewal|assinatura|recorrente|suscripci)/i;
const TYPE = /(type|tipo)$/i;
/** The name of the status of the payment, if it isn't that in `payment`. An order may be approved or completed long before it is paid. */
const PAYMENT_STATUS =
	/^((payment|financial)[_-]?(status|state)|(status|situacao|estado)[_-]?(pagamento|pago))$/i;
/** Some shops say it beside the status, by yes or no. A charge that isn't captured is only authorized. */
const PAID = /^((is_?)?paid|captured)$/i;
const PAID_AT =
	/^(date_?(paid|approved)|(paid|approved)_?(at|on|date|time)|data_?(pagamento|aprovacao)|(pago|aprovado)_?em)$/i;
/** Which instalment it is, not how many there are. */
const INSTALMENT =
	/^(instal?lment|parcela|cuota)_?(number|numero|index|atual|actual)$|^(current_?instal?lment|numero_?(da_?)?parcela)$/i;
/** An amount, or yes. */
const ONCE_PAID = /^((is_?)?(paid|refunded)|(paid|refunded)_?amount|amount_?(paid|refunded))$/i;
/** A refund may be a payment of its own, which says so. */
const REFUNDED = /^(is_?)?(refunded|voided|charged?_?back)$|^is_?(refund|void)$/i;
/** The number of an item in a list, or what an order costs beside its products. */
const PART = /^(\d+$|shipping|delivery|freight|frete|tax|fee|tip)/i;
const REFUND_STATUS = /^refund_?status$/i;
/** Some say so only of the subscription that an order is for. */
const TRIAL = /^((is|in|on)_?)?(free_?)?trial(_?period)?$/i;
const REFUNDED_AMOUNT = /^(refunded_?(amount|money)|amount_?refunded)(_?cents)?$/i;
const AMOUNT = /^(amount|price|total(_?(amount|price))?)(_?(money|cents))?$/i;
const IN_PART = /^((is_?)?partial(ly)?(_?refund(ed)?)?|refund_?(status|type))$/i;
const EVENT =
	/^((webhook_?)?event([_-]?(type|name|code))?|evento|((transaction|resource|notification|callback|message|operation)_?)?type|tipo|(resource|alert)_?name|topic|action|operation|kind|object|resource)$/i;
/**
 * Of money that is given back, or never came. What is told of a subscription may have the status of its last order, and PayPal's
 * order is approved before it is captured.
 */
const NO_PAYMENT =
	/checkout\.order\.approved|refund|charge.?back|reembols|estorn|devol|revers|cancel|disput|fail|denied|declin|refus|recus|reject|expir|void|trial/i;
/** What the rest of a notification may be in, or what it tells of. */
const WRAPPER =
	/^(data|payload|body|content|event|notification|object|resource|attributes|order|sale|purchase|payment|transaction|charge|invoice|bill|pedido|venda|compra|pagamento|transacao)$/i;
const isSent = (value: unknown) => value !== undefined && value !== null && value !== '';
/** Python writes True and False, a database 1 and 0. But a 0 may be an amount, of a coupon of a hundred per cent. */
const isYes = (value: unknown) => /^(true|yes|1)$/i.test(flagOf(value));
const isNo = (name: string, value: unknown) =>
	/^(false|no)$/i.test(flagOf(value)) || (/^is/i.test(name) && flagOf(value) === '0');
const flagOf = (value: unknown) => (typeof value === 'object' ? '' : String(value));

type Entry = [name: string, value: unknown];

/** What an object says that was given back, and of what amount. Each may be in an object with its currency. */
function givenBackOf(sent: Json): [given: number, amount: number] {
	const amountOf = (names: RegExp) => {
		const value = Object.entries(sent).find(([name]) => names.test(name))?.[1];
		return Number(isObject(value) ? (value.value ?? value.amount) : value);
	};
	return [amountOf(REFUNDED_AMOUNT), amountOf(AMOUNT)];
}

/** Whether it says so anywhere but of a part, such as an item of a list, or the shipping. */
function isRefunded(sent: Json): boolean {
	const [given, amount] = givenBackOf(sent);
	// Where more seems to be given back than was paid, one of them is in cents.
	if (given > 0 && given === amount) return true;
	return Object.entries(sent).some(([name, value]) => {
		if (isObject(value)) return !PART.test(name) && isRefunded(value);
		if (REFUND_STATUS.test(name)) return /^full/i.test(flagOf(value));
		return REFUNDED.test(name) && isYes(value);
	});
}

/** The first field that says so anywhere, also in a list. */
function findAnywhere(sent: object, says: (entry: Entry) => boolean): Entry | undefined {
	for (const entry of Object.entries(sent) as Entry[]) {
		const [, value] = entry;
		if (says(entry)) return entry;
		const found = typeof value === 'object' && value !== null && findAnywhere(value, says);
		if (found) return found;
	}
	return undefined;
}

const saysAnywhere = (sent: object, says: (entry: Entry) => boolean): boolean =>
	findAnywhere(sent, says) !== undefined;

/** Whether it is when a payment was made, or how much, or how much of it was given back. */
const isOfPaid = ([name, value]: Entry): boolean =>
	// PHP writes no date as 0000-00-00.
	(PAID_AT.test(name) && /[1-9]/.test(flagOf(value))) ||
	(ONCE_PAID.test(name) && (isYes(value) || Number(flagOf(value)) > 0));

/** Whether it says that only a part was given back: by a word, or by an object with less than its amount. */
function isOfPart([name, value]: Entry): boolean {
	if (IN_PART.test(name)) return isYes(value) || /partial/i.test(flagOf(value));
	if (!isObject(value)) return false;
	const [given, amount] = givenBackOf(value);
	return given > 0 && given < amount;
}

/** What a notification says, also within what it is wrapped in. */
const entriesOf = (sent: Json): Entry[] =>
	Object.entries(sent).flatMap(([name, value]): Entry[] =>
		isObject(value) && WRAPPER.test(name) ? [[name, value], ...entriesOf(value)] : [[name, value]],
	);

function paymentStatusIn(entries: Entry[]): unknown {
	const own = entries.filter(([name]) => PAYMENT_STATUS.test(name)).map(([, value]) => value);
	const ofPayment = entries.map(([name, value]) =>
		name === 'payment' && isObject(value) ? (value.status ?? value.state) : undefined,
	);
	return [...own, ...ofPayment].find(isSent);
}

const isNotFirst = ([name, value]: Entry): boolean =>
	INSTALMENT.test(name) && Number(flagOf(value)) > 1;

/** The event or the flag that contradicts a status of `paid`, if any. */
function contradictionIn(sent: Json, entries: Entry[]): unknown {
	if (isRefunded(sent)) return 'refunded';
	const event = entries.find(
		([name, value]) => EVENT.test(name) && typeof value === 'string' && NO_PAYMENT.test(value),
	)?.[1];
	const unpaid = entries.find(([name, value]) => PAID.test(name) && isNo(name, value))?.[0];
	const trial = findAnywhere(sent, ([name, value]) => TRIAL.test(name) && isYes(value))?.[0];
	const instalment = findAnywhere(sent, isNotFirst)?.[0];
	return (
		event ??
		(unpaid && `${unpaid}: false`) ??
		(trial && `${trial}: true`) ??
		(instalment && `${instalment}: not the first`)
	);
}

/** Whether it is what only a charge of a subscription has, or what it is called. */
function isOfSubscription([name, value]: Entry): boolean {
	if (EVENT.test(name) || TYPE.test(name)) return OF_SUBSCRIPTION.test(flagOf(value));
	if (INTERVAL.test(name)) return PERIOD.test(flagOf(value));
	return SUBSCRIPTION.test(name) && isSubscription({ isSubscription: value });
}

/** The status of the payment, and what contradicts it. */
function statusesIn(
	{ status, paymentStatus }: NotificationFields,
	defaults: Json,
	entries: Entry[],
): Pick<NotificationFields, 'paymentStatus' | 'contradiction'> {
	const contradiction = contradictionIn(defaults, entries);
	const read = paymentStatusIn(entries);
	if (status === '') return { paymentStatus: read, contradiction };
	// Whoever has filled in a status has chosen what counts, unless it is paid. They may have dragged it out of an object.
	const another = typeof read === 'string' ? read : undefined;
	return { paymentStatus, contradiction: contradiction ?? another };
}

/** Reads what is empty by its name. What is filled in may be missing in this notification: null. */
export function withDefaults(sent: NotificationFields): NotificationFields {
	const defaults = isObject(sent.defaults) ? sent.defaults : {};
	const entries = entriesOf(defaults);
	const empty = WITH_DEFAULTS.filter((name) => sent[name] === '');
	return {
		...sent,
		...Object.fromEntries(empty.map((name) => [name, defaults[name]])),
		...(sent.isSubscription === '' && {
			isSubscription: saysAnywhere(defaults, isOfSubscription),
		}),
		wasPaid: saysAnywhere(defaults, isOfPaid),
		isOfPart: saysAnywhere({ defaults }, isOfPart),
		...statusesIn(sent, defaults, entries),
	};
}
