// What this execution has done: the steps, each with its error. A claim has become the rows that were claimed.
const steps = $('What Differs').all();
const { next } = steps[0].json;
return $input.all().map(({ json }, index) => {
	const { id, error, outcome, status, email = steps[index].json.email } = json;
	const step = { ...steps[index]?.json, next, id, email };
	// A student who has left the class needs no removal.
	const isGone = next === 'remove' && /\(status 4(00|22)\)/.test(error);
	if (!error || isGone) return { json: step };
	const isFinal = outcome === 'rejected' && [400, 404, 409, 422].includes(status);
	return { json: { ...step, error, problem: isFinal ? step.what + error : undefined } };
});
