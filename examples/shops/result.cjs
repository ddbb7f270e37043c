// Tells the shop's workflow how it ended. At night, a failure ends the execution here.
const { sale, isRefunded, problems = [] } = $('What Was Bought').first().json;
const { rows, done } = $('What Differs').first().json;
const failure = [...problems, ...done.map((step) => step.failure)].filter(Boolean).join(' ');
if (failure && !sale) throw new Error(failure);
const answer = (code, result, reason) => ({ code, result, reason, failure });
if (problems.length > 0) return answer(422, 'failed', problems.join(' '));
if (failure) return answer(503, 'failed', 'A request failed. Send the notification again later.');
if (!sale || sale.status === 'refunded') return answer(200, 'refunded');
if (isRefunded) return answer(200, 'not added', 'The payment was refunded.');
const isAdded = rows.some((row) => row.isOwn && row.hasAccess);
if (!isAdded) return answer(200, 'ignored', 'No class was bought, or its access has ended.');
return answer(200, done.some(({ next }) => next !== 'record') ? 'added' : 'already processed');
