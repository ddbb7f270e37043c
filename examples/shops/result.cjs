// Tells the shop's workflow how it ended. At night, a failure ends the execution here.
const { sale, isRefunded, problems = [] } = $('What Was Bought').first().json;
const { scope, done } = $('What Differs').first().json;
const VERBS = { add: 'be enrolled', remove: 'be removed', link: 'get a sign-in link' };
const failed = done.filter(({ error }) => error);
const lines = failed.map(
	({ email, next, classId = '-', error }) =>
		`${email} could not ${VERBS[next]} (class ${classId}): ${error}`,
);
const isWrong = problems.length > 0;
const details = (isWrong ? problems : lines).join('\n');
if (details && !sale) throw { message: details, stack: '' };
if (details) {
	const code = isWrong ? 422 : 503;
	const again = `The buyer could not ${VERBS[failed[0]?.next]}. Send the notification again later.`;
	const failure = `Payment ${sale.paymentId} of ${sale.email}:\n${details}`;
	return { code, result: 'failed', reason: isWrong ? problems.join(' ') : again, failure };
}
const success = (result, reason) => ({ code: 200, result, reason });
if (!sale || sale.status === 'refunded') return success('refunded');
if (isRefunded) return success('not enrolled', 'The payment was refunded.');
if (!scope.some((row) => row.hasAccess))
	return success('ignored', 'No class was bought, or its access has ended.');
return success(done.length > 0 ? 'enrolled' : 'already processed');
