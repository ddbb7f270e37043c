// What differs from what is paid? After each step, this is asked again, so that the last act on the platform was always
// checked against what others have recorded meanwhile.
const { sale, classIds, unrecorded = [] } = $('What Was Bought').first().json;
if (unrecorded.length > 0) return unrecorded.map((row) => ({ ...row, next: 'record' }));
const { rows } = $input.first().json;
const timeOf = (date) => new Date(date).getTime();
const runs = Array.from({ length: $runIndex }, (_, run) => $('What Was Done').all(0, run));
const done = runs.flat().map(({ json }) => json); // by this execution

// What was the platform not told yet? A class that was corrected in the table of products before anybody got in is none.
const isClass = ({ classId, enrolledAt, paymentId }) =>
	classId && (enrolledAt || !paymentId || classIds.includes(classId));
const scope = rows.filter((row) => isClass(row) && (!sale || row.paymentId === sale.paymentId));
const isDone = (row) => (row.enrolledAt || !row.paymentId) && (row.hasAccess || row.removedAt);
const lastAct = ({ key }) => done.findLast((act) => act.key === key);
const stepFor = ({ key, email, classId, name, isPaid, end }) => {
	const next = isPaid ? 'add' : 'remove';
	return { next, key, email, classId, name: name ?? '', expiresAt: end };
};
const isTold = (row) =>
	lastAct(row)?.expiresAt === row.end && lastAct(row).next === stepFor(row).next;
const isOpen = (row) => lastAct(row) || (scope.includes(row) && !isDone(row));
const differing = rows.filter((row) => isOpen(row) && !isTold(row));
const differences = [...new Map(differing.map((row) => [row.key, stepFor(row)])).values()];
if (!sale && $execution.mode === 'test') return { differences };
if (differences.length > 0) return differences.filter(({ next }) => next === differences[0].next);

// Who needs a link? Not for a renewal, nor if one was sent for another part of the order. Who claims it first sends it.
// A claim of over 30 s that led to no link is void: n8n was stopped in between.
const isLinkOf = (row) => (other) => {
	if (other.email !== row.email) return false;
	if (Date.now() - timeOf(other.linkClaimedAt ?? 0) < 30_000) return true;
	const isForOrder = timeOf(other.linkSentAt) > timeOf(row.createdAt) - 600_000;
	const isEnded =
		other.isRefunded || timeOf(other.expiresAt ?? '9999') < timeOf(row.paidAt ?? row.createdAt);
	return other.linkSentAt && (isForOrder || (other.key === row.key && !isEnded));
};
const isTried = (next, { email }) =>
	done.some((act) => act.email === email && (act.next === next || act.error));
const oncePerBuyer = (next, list) => {
	const buyers = new Map(list.filter((row) => !isTried(next, row)).map((row) => [row.email, row]));
	return Array.from(buyers, ([email, { linkClaimedAt }]) => ({ next, email, linkClaimedAt }));
};
const isLinkless = (row) =>
	row.hasAccess && row.paymentId && !row.linkSentAt && !rows.some(isLinkOf(row));
const claimed = done.filter(({ next, id }) => next === 'claim' && id);
const links = [
	...oncePerBuyer('link', claimed),
	...oncePerBuyer('claim', scope.filter(isLinkless)),
];
if (links.length > 0) return links.filter(({ next }) => next === links[0].next);

return { next: 'note', scope, done };
