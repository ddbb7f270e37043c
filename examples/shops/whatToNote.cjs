// Notes what this execution has done. The night looks at a row when `expiresAt` has passed, so what failed stays open.
const { rows, done } = $input.first().json;
const at = new Date().toISOString();
const noteOf = (row) => {
	const act = done.findLast(({ key }) => key === row.key);
	const link = done.find(({ next, key }) => next === 'link' && key === row.email);
	const isClaimed = done.some(({ claimed }) => claimed?.includes(row.id));
	const failed = [act, link].find((step) => step?.error);
	const isOpen = row.isOpen && row.isOwn;
	// n8n writes no `updatedAt`, so it carries what was seen.
	const note = { id: row.id, updatedAt: row.expiresAt };
	// A link is for all that its buyer has then.
	if (link && !link.error && !row.linkSentAt) note.linkSentAt = at;
	else if (isClaimed) note.linkClaimedAt = null;
	else if (isOpen && row.linkedAt) note.linkSentAt = row.linkedAt;
	if (isOpen && !act?.error) note[row.hasAccess ? 'enrolledAt' : 'removedAt'] = at;
	if (isOpen) note.problem = failed?.problem ?? null;
	if (isOpen && failed) Object.assign(note, { expiresAt: at, removedAt: null });
	else if (act && row.hasAccess && (isOpen ? note.linkSentAt : row.expiresAt > at))
		note.expiresAt = row.end;
	return note;
};
const notes = rows.map(noteOf).filter((note) => Object.keys(note).length > 2);
return notes.length > 0 ? notes : { id: 0, updatedAt: null, linkSentAt: null };
