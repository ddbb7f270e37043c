// What this execution has done: the steps, each with its error. A claim has got the rows that nobody else had claimed.
const isNight = !$('Sale').isExecuted;
const classIds = isNight ? Array.from($('List Classes').all(), ({ json }) => json.id) : [];
const results = Array.from($input.all(), ({ json }) => json);
return Array.from($('What Differs').all(), ({ json: step }, index) => {
	const { next, email, classId, what } = step;
	const claimed = results.filter((row) => next === 'claim' && row.id && row.email === email);
	const { error, outcome, status } = results[index] ?? {};
	const isRejected = (...statuses) => outcome === 'rejected' && statuses.includes(status);
	// Who has left the class needs no removal, nor does who was in a class that is gone. A wrong Base URL is a 404, too, so
	// only the night can tell, which has listed the classes.
	const isGone = isNight && isRejected(404) && !classIds.includes(classId);
	const isDone = !error || (next === 'remove' && (isGone || isRejected(400, 422)));
	if (isDone) return { json: { ...step, claimed: claimed.map(({ id }) => id) } };
	const mayBeGone = next === 'remove' && !isNight && status === 404;
	const isFinal = isRejected(400, 404, 409, 422) && !mayBeGone;
	return { json: { ...step, error, problem: isFinal ? what + error : undefined } };
});
