// Tells the shop's workflow how it ended. At night, a failure ends the execution here.
const { sale, isRefunded, problems = [] } = $('What Was Bought').first().json;
const { rows, done } = $('What Differs').first().json;
const failure = [...problems, ...done.map((step) => step.failure)].filter(Boolean).join(' ');
if (failure && !sale) throw new Error(failure);
if (failure) return { result: 'failed', reason: failure };
if (!sale || sale.status === 'refunded') return { result: 'refunded' };
if (isRefunded) return { result: 'not added', reason: 'The payment was refunded.' };
const isAdded = rows.some((row) => row.isOwn && row.hasAccess);
if (!isAdded) return { result: 'ignored', reason: 'No class was bought, or access has ended.' };
return { result: done.some(({ next }) => next !== 'record') ? 'added' : 'already processed' };
