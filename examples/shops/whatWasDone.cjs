// What this execution has done: the steps, each with its failure. A claim has got the rows that nobody else had claimed.
const results = $input.all().map(({ json }) => json);
const list = $('List Classes');
const listed = list.isExecuted && list.all().map(({ json }) => json.id);
return Array.from($('What Differs').all(), ({ json: step }, index) => {
	const { next, email, classId, what } = step;
	const own = results.filter((row) => row.email === email);
	if (next === 'claim') return { ...step, claimed: own.map(({ id }) => id) };
	const { error, outcome, status } = results[index] ?? {};
	const isRejected = outcome === 'rejected';
	const cannotRemove = isRejected && next === 'remove';
	// Who has left needs no removal. A wrong Base URL is a 404, too: only the night can tell, which has listed the classes.
	const isLost = cannotRemove && status === 404;
	const hasLeft = cannotRemove && [400, 422].includes(status);
	if (!error || hasLeft || (isLost && listed && !listed.includes(classId))) return step;
	const failure = `Couldn't ${what}: ${error}`;
	const isFinal = isRejected && (listed || !isLost);
	return { ...step, failure, problem: isFinal ? failure : null };
});
