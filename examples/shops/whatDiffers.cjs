// What differs from what is paid? No lock is needed: each execution records its sale before it looks, looks again after
// each step, and stops only when the table agrees with its own last step on each class. So whoever took the last step on
// a class has looked afterwards, and agreed. A sale recorded later has an execution of its own, which still looks.
const { sale, classIds, unrecorded = [] } = $('What Was Bought').first().json;
if (unrecorded.length > 0) return unrecorded.map((row) => ({ ...row, next: 'record' }));
const { rows } = $input.first().json;
const runs = Array.from({ length: $runIndex }, (_, run) => $('What Was Done').all(0, run));
const done = runs.flat().map(({ json }) => json); // by this execution
const lastAct = ({ key }) => done.findLast((act) => act.key === key);
const result = (list) => list.filter(({ next }) => next === list[0].next);

// A class that was corrected in class_products before anybody was added is none. A problem is said once at night.
const isOwn = ({ classId, enrolledAt, paymentId }) =>
	(!sale || paymentId === sale.paymentId) &&
	classId &&
	(enrolledAt || !paymentId || classIds.includes(classId));
const scope = rows.filter(isOwn);
const isDone = (row) => (row.hasAccess ? row.enrolledAt || !row.paymentId : row.removedAt);
const isHopeless = (row, { what }) => !sale && (row.problem ?? '').startsWith(what);
const stepFor = ({ key, email, classId, name, isPaid, end }) => {
	const [next, where] = isPaid ? ['add', 'to'] : ['remove', 'from'];
	const what = `${next} ${name ?? ''} ${email} ${where} class ${classId}: `;
	return { next, what, key, email, classId, name: name ?? '', expiresAt: end };
};
const isOpen = (row) =>
	lastAct(row) || (isOwn(row) && !isDone(row) && !isHopeless(row, stepFor(row)));
const isTold = ({ next, expiresAt }, act) => act?.next === next && act.expiresAt === expiresAt;
const differing = rows.filter((row) => isOpen(row) && !isTold(stepFor(row), lastAct(row)));
const differences = [...new Map(differing.map((row) => [row.key, stepFor(row)])).values()];
if (!sale && $execution.mode === 'test') return { differences };
if (differences.length > 0) return result(differences);

// One magic link for each access and order. Who claims it first sends it. A claim without a link is void after 30 s.
const timeOf = (date) => new Date(date ?? 0).getTime();
const isLinkOf = (row) => (other) =>
	other.email === row.email &&
	(Date.now() - timeOf(other.linkClaimedAt) < 30_000 ||
		timeOf(other.linkSentAt) > timeOf(row.createdAt) - 600_000 ||
		(other.linkSentAt && other.access === row.access && other.key === row.key));
const linkFor = ({ email, linkClaimedAt }) => {
	return { what: `send a magic link to ${email}: `, email, linkClaimedAt };
};
const isTried = (next, { email }) =>
	done.some((act) => act.email === email && (act.next === next || act.error));
const isLinkless = (row) => {
	const isIn = row.hasAccess && row.isCurrent && (row.enrolledAt || lastAct(row));
	return isIn && row.paymentId && !row.linkSentAt && !isHopeless(row, linkFor(row));
};
const claimed = done.filter(({ next, id }) => next === 'claim' && id);
const due = scope.filter((row) => isLinkless(row) && !rows.some(isLinkOf(row)));
const stepsFor = (next, list) =>
	list.flatMap((row) => (isTried(next, row) ? [] : [{ ...linkFor(row), next }]));
const links = [...stepsFor('link', claimed), ...stepsFor('claim', due)];
if (links.length > 0) return [...new Map(result(links).map((link) => [link.email, link])).values()];

return { next: 'note', rows, scope, done };
