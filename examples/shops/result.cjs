// Tells the shop's workflow how it ended. At night, a failure ends the execution here.
const { sale, isRefunded, problems = [] } = $('What Was Bought').first().json;
const { rows, done } = $('What Differs').first().json;
const failed = done.filter(({ error }) => error);
const failures = failed.map(({ what, error }) => `Couldn't ${what}${error}`);
const details = [...problems, ...failures].join(' ');
if (details && !sale) throw new Error(details);
if (details) {
	const reason = problems.join(' ') || 'A request failed. Send the notification again later.';
	const failure = `Payment ${sale.paymentId} of ${sale.email}: ${details}`;
	return { code: problems.length > 0 ? 422 : 503, result: 'failed', reason, failure };
}
const success = (result, reason) => ({ code: 200, result, reason });
if (!sale || sale.status === 'refunded') return success('refunded');
if (isRefunded) return success('not added', 'The payment was refunded.');
const hasAccess = rows.some((row) => row.isOwn && row.hasAccess);
if (!hasAccess) return success('ignored', 'No class was bought, or its access has ended.');
return success(done.some(({ next }) => next !== 'record') ? 'added' : 'already processed');
