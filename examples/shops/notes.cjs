// Notes what this execution has done, each in the rows of its own payment. What failed stays open.
const { rows, scope, done } = $input.first().json;
const isNight = !$('Sale').isExecuted;
const at = new Date().toISOString();
const isDue = ({ expiresAt }) => expiresAt && new Date(expiresAt) < new Date();
const noteOf = (row) => {
	const act = done.findLast(({ key }) => key === row.key);
	const link = done.find(({ next, email }) => next === 'link' && email === row.email);
	const isClaimed = done.some(({ next, id }) => next === 'claim' && id === row.id);
	const { error, problem } = [act, link].find((step) => step?.error) ?? {};
	const isOwn = scope.some(({ id }) => id === row.id);
	// The night looks at a row when `expiresAt` has passed, so it is written when all else is done.
	const isUnsent = row.linkClaimedAt && !row.linkSentAt && !link;
	const isOver = !error && !isUnsent && row.hasAccess && row.paymentId;
	const isSeen = isOwn
		? act || isClaimed || (isNight && isDue(row) && !row.problem)
		: act && !isDue(row);
	return {
		...(isClaimed && (link && !link.error ? { linkSentAt: at } : { linkClaimedAt: null })),
		...(isOwn &&
			act &&
			(act.error ? { enrolledAt: null } : { [row.hasAccess ? 'enrolledAt' : 'removedAt']: at })),
		...(isSeen && isOver && { expiresAt: row.end }),
		...(isOwn && (error ? problem : row.problem && act) && { problem: problem ?? null }),
	};
};
const notes = rows.map((row) => ({ id: row.id, endedAt: row.endedAt, ...noteOf(row) }));
const changed = notes.filter((note) => Object.keys(note).length > 2);
return changed.length > 0 ? changed : { id: 0, endedAt: null, linkSentAt: null };
