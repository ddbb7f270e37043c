// Notes what this execution has done. The night looks at a row when `expiresAt` has passed, so what failed stays open.
const { rows } = $input.first().json;
const at = new Date().toISOString();
const noteOf = ({ id, end, hasAccess, isOpen, act, link, linkedAt, linkSentAt, expiresAt }) => {
	// n8n writes no `updatedAt`, so it carries what was seen.
	const note = { id, updatedAt: expiresAt };
	// A link is for all that its buyer has then.
	if (link?.next === 'link' && !link.failure && !linkSentAt) note.linkSentAt = at;
	else if (link?.claimed.includes(id)) note.linkClaimedAt = null;
	else if (isOpen && linkedAt) note.linkSentAt = linkedAt;
	if (!isOpen) return act && hasAccess && expiresAt > at ? { ...note, expiresAt: end } : note;
	const failed = [act, link].find((step) => step?.failure);
	note.problem = failed?.problem ?? null;
	if (!act?.failure) note[hasAccess ? 'enrolledAt' : 'removedAt'] = at;
	// What was rejected for good is left to the owner, until access ends.
	if (failed) return { ...note, expiresAt: failed.problem ? end : at, removedAt: null };
	return hasAccess && note.linkSentAt ? { ...note, expiresAt: end } : note;
};
const notes = rows.map(noteOf).filter((note) => Object.keys(note).length > 2);
return notes.length > 0 ? notes : { id: 0, updatedAt: null, linkSentAt: null };
