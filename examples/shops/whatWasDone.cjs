// What this execution has done: the steps, each with its error. A claim has become the rows that were claimed.
const steps = $('What Differs').all();
const { next } = steps[0].json;
return $input.all().map(({ json }, index) => {
	const { id, error, outcome, status, email = steps[index].json.email } = json;
	const step = { ...steps[index]?.json, next, id, email };
	const isRejected = (...statuses) => outcome === 'rejected' && statuses.includes(status);
	// A student who has left the class needs no removal.
	if (!error || (next === 'remove' && isRejected(400, 422))) return { json: step };
	const isFinal = isRejected(400, 404, 409, 422);
	return { json: { ...step, error, problem: isFinal ? step.what + error : undefined } };
});
