// What differs from what is paid? No lock is needed: each execution records its sale before it looks, looks again after
// each step, and stops only when the table agrees with its own last step on each class. So whoever took the last step on
// a class has looked afterwards, and agreed. A sale recorded later has an execution of its own, which still looks.
const { sale, unrecorded = [] } = $('What Was Bought').first().json;
if (unrecorded.length > 0) return unrecorded.map((row) => ({ ...row, next: 'record' }));
const { rows } = $input.first().json;
const runs = Array.from({ length: $runIndex }, (_, run) => $('What Was Done').all(0, run));
const done = runs.flat().map(({ json }) => json); // by this execution
const lastAct = ({ key }) => done.findLast((act) => act.key === key);
const timeOf = (date) => new Date(date ?? 0).getTime();

const stepFor = (row) => {
	const { name, email, classId, isPaid, end } = row;
	const [next, where] = isPaid ? ['add', 'to'] : ['remove', 'from'];
	const what = `${next} ${name} ${email} ${where} class ${classId}: `;
	return { ...row, next, what, expiresAt: end };
};
const claimFor = (row) => {
	const { email } = row;
	return { ...row, next: 'claim', what: `send a magic link to ${email}: `, key: email };
};
// A problem is said once at night.
const isHopeless = (row) => {
	const steps = [stepFor(row), ...(row.isPaid ? [claimFor(row)] : [])];
	return !sale && steps.some(({ what }) => (row.problem ?? '').startsWith(what));
};
for (const row of rows) row.isOpen = Boolean(lastAct(row) || (row.isDue && !isHopeless(row)));
const differs = (row) => {
	const [{ next, expiresAt }, act] = [stepFor(row), lastAct(row)];
	// Nothing is removed that no payment has given: it was added by hand.
	const isMeant = row.isOpen && (row.isPaid || row.isGiven || act);
	return isMeant && (act?.next !== next || act.expiresAt !== expiresAt);
};
const differences = rows.filter(differs).map(stepFor);
if (!sale && $execution.mode === 'test') return { differences };

// One magic link for each purchase: none for a renewal, nor for what else is bought within ten minutes.
const isLinkOf = (row) => (other) =>
	other.linkSentAt &&
	((other.key === row.key && !other.removedAt) ||
		timeOf(other.linkSentAt) > timeOf(row.createdAt) - 600_000);
// Who claims it first sends it. A claim without a link is void after 30 s.
const isClaimed = ({ linkClaimedAt }) => Date.now() - timeOf(linkClaimedAt) < 30_000;
const stepDone = (next, { email }) => done.find((act) => act.next === next && act.key === email);
const links = [];
for (const row of rows) {
	if (!row.isOwn || !row.isOpen || !row.hasAccess || lastAct(row)?.error) continue;
	const others = rows.filter(({ email }) => email === row.email);
	row.linkedAt = others.find(isLinkOf(row))?.linkSentAt;
	if (row.linkedAt || stepDone('link', row)) continue;
	const claim = stepDone('claim', row);
	if (claim?.claimed.includes(row.id)) links.push({ ...claim, next: 'link' });
	if (!claim && !others.some(isClaimed)) links.push(claimFor(row));
}

// One kind of step at a time, each once.
const steps = [...differences, ...links];
if (steps.length === 0) return { next: 'note', rows, done };
const same = steps.filter(({ next }) => next === steps[0].next);
return [...new Map(same.map((step) => [step.key, step])).values()];
