// Notes what this execution has done, each in the rows of its own payment. What failed stays open.
const { rows, scope, done } = $input.first().json;
const own = new Set(scope.map(({ id }) => id));
const at = new Date().toISOString();
const isDue = ({ expiresAt }) => expiresAt && expiresAt < at;
const noteOf = (row) => {
	const act = done.findLast(({ key }) => key === row.key);
	const link = done.find(({ next, email }) => next === 'link' && email === row.email);
	const isClaimed = done.some(({ next, id }) => next === 'claim' && id === row.id);
	const failed = [act, link].find((step) => step?.error);
	const note = { id: row.id, endedAt: row.endedAt };
	if (isClaimed && link && !link.error) note.linkSentAt = at;
	else if (isClaimed) note.linkClaimedAt = null;
	const isOwn = own.has(row.id);
	if (isOwn && act?.error) note.enrolledAt = null;
	else if (isOwn && act) note[row.hasAccess ? 'enrolledAt' : 'removedAt'] = at;
	if (isOwn && (failed?.problem || (act && row.problem))) note.problem = failed?.problem ?? null;
	// The night looks at a row when `expiresAt` has passed. So it becomes the end when nothing is left to do.
	const isUnsent = row.linkClaimedAt && !row.linkSentAt && !link;
	const isLeft = failed || isUnsent || !row.hasAccess || !row.paymentId || (row.problem && !act);
	if (!isLeft && (isOwn ? act || isDue(row) : act && !isDue(row))) note.expiresAt = row.end;
	return note;
};
const notes = rows.map(noteOf).filter((note) => Object.keys(note).length > 2);
return notes.length > 0 ? notes : { id: 0, endedAt: null, linkSentAt: null };
