// What this execution has done: the steps, each with its error. A claim has got the rows that nobody else had claimed.
const isNight = !$('Sale').isExecuted;
const classIds = isNight ? Array.from($('List Classes').all(), ({ json }) => json.id) : [];
const results = Array.from($input.all(), ({ json }) => json);
return Array.from($('What Differs').all(), ({ json: step }, index) => {
	const { next, email, classId, what } = step;
	const own = results.filter((row) => next === 'claim' && row.id && row.email === email);
	const claimed = own.map(({ id }) => id);
	const { error, outcome, status } = results[index] ?? {};
	const isRejected = (...statuses) => outcome === 'rejected' && statuses.includes(status);
	// Who has left the class needs no removal. If the class is gone, only the night can tell, which has listed the classes:
	// a wrong Base URL is a 404, too.
	const isLost = next === 'remove' && isRejected(404);
	const hasLeft = next === 'remove' && isRejected(400, 422);
	const isGone = isLost && isNight && !classIds.includes(classId);
	if (!error || hasLeft || isGone) return { json: { ...step, claimed } };
	const isFinal = isRejected(400, 404, 409, 422) && (isNight || !isLost);
	return { json: { ...step, error, problem: isFinal ? what + error : undefined } };
});
