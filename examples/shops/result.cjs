// How it ended. A failure ends the execution here, so that nobody misses it, unless the caller shows it, as shops do.
const { sale, isRefunded, problems = [] } = $('What Was Bought').first().json;
const { rows, done } = $('What Differs').first().json;
const failure = [...problems, ...done.map((step) => step.failure)].filter(Boolean).join(' ');
if (failure && !sale?.returnFailure) throw new Error(failure);
if (failure) return { result: 'failed', reason: failure };
if (!sale || sale.status === 'refunded') return { result: 'refunded' };
if (isRefunded) return { result: 'not added', reason: 'The payment was refunded.' };
const isAdded = rows.some((row) => row.isOwn && row.hasAccess);
if (!isAdded) return { result: 'ignored', reason: 'No class was bought, or access has ended.' };
return { result: done.some(({ next }) => next !== 'record') ? 'added' : 'already processed' };
