// What differs from what is paid? No lock is needed: each execution records its sale before it looks, looks again after
// each step, and stops only when the table agrees with its own last step on each class. So whoever took the last step on
// a class has looked afterwards, and agreed. A sale recorded later has an execution of its own, which still looks.
const { sale, unrecorded = [] } = $('What Was Bought').first().json;
if (unrecorded.length > 0) return unrecorded.map((row) => ({ ...row, next: 'record' }));
const { rows, ends, given } = $input.first().json;
const runs = Array.from({ length: $runIndex }, (_, run) => $('What Was Done').all(0, run));
const done = runs.flat().map(({ json }) => json); // by this execution
const lastSteps = new Map(done.map((step) => [step.key, step]));
const now = new Date().toISOString();
const steps = new Map(); // each once
for (const row of rows) {
	const { key, email, name, classId } = row;
	const act = lastSteps.get(key);
	const end = ends[key] > now ? ends[key] : null; // of all that is paid
	const isOwn = !sale || row.paymentId === sale.paymentId;
	// At night, also a renewal: a night that died may have removed its buyer. A repeat also does what was rejected.
	const isDue = row.expiresAt <= now || (sale && row.problem);
	const isOpen = isOwn && Boolean(act || isDue);
	const hasAccess = Boolean(end && !row.isRefunded);
	Object.assign(row, { act, link: lastSteps.get(email), end, isOwn, isOpen, hasAccess });
	// Nothing is removed that no payment has given: it was added by hand.
	if (!isOpen || act?.end === end || !(end || given[key] || act)) continue;
	const [next, where] = end ? ['add', 'to'] : ['remove', 'from'];
	const what = `${next} ${name} ${email} ${where} class ${classId}`;
	steps.set(key, { next, what, key, name, email, classId, end });
}
if (!sale && $execution.mode === 'test') return { differences: [...steps.values()] };

// One magic link for each purchase: none for a renewal, nor for what else is bought within ten minutes.
const timeOf = (date) => new Date(date).getTime();
// Who claims it first sends it. A claim without a link is void after 30 s.
const isClaimed = ({ linkClaimedAt }) => timeOf(linkClaimedAt) > Date.now() - 30_000;
for (const row of rows) {
	const { id, key, email, act, link, createdAt, linkClaimedAt } = row;
	if (!row.isOpen || !row.hasAccess || act?.failure) continue;
	const others = rows.filter((other) => other.email === email);
	const isRecent = ({ linkSentAt }) => timeOf(linkSentAt) > timeOf(createdAt) - 600_000;
	const isOfClass = (other) => other.key === key && other.linkSentAt && !other.removedAt;
	row.linkedAt = others.find((other) => isRecent(other) || isOfClass(other))?.linkSentAt;
	if (row.linkedAt || link?.next === 'link') continue;
	const what = `send a magic link to ${email}`;
	const claim = { next: 'claim', what, key: email, email, linkClaimedAt };
	if (!link && !others.some(isClaimed)) steps.set(email, claim);
	if (link?.claimed.includes(id)) steps.set(email, { ...link, next: 'link' });
}
// One kind of step at a time.
const all = [...steps.values()];
if (all.length === 0) return { next: 'note', rows, done };
return all.filter(({ next }) => next === all[0].next);
