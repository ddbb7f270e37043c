// Notes what this execution has done. The night looks at a row when `expiresAt` has passed, so what failed stays open.
const { rows } = $input.first().json;
const at = new Date().toISOString();
// A link is for all that its buyer has then. It is noted whatever else has changed meanwhile.
const linkNoteOf = ({ id, isOpen, link, linkedAt, linkSentAt }) => {
	if (link?.next === 'link' && !link.failure && !linkSentAt) return { id, linkSentAt: at };
	if (link?.claimed.includes(id)) return { id, linkClaimedAt: null };
	return isOpen && linkedAt ? { id, linkSentAt: linkedAt } : [];
};
const noteOf = ({ id, end, hasAccess, isOpen, act, link, linkedAt, expiresAt }) => {
	const note = { id, updatedAt: expiresAt }; // n8n writes no `updatedAt`: it carries what was seen
	if (!isOpen) return act && hasAccess && expiresAt > at ? { ...note, expiresAt: end } : [];
	const failed = [act, link].find((step) => step?.failure);
	note.problem = failed?.problem ?? null;
	if (!act?.failure) note[hasAccess ? 'enrolledAt' : 'removedAt'] = at;
	// What was rejected for good is left to the owner, until access ends.
	if (failed) return { ...note, expiresAt: failed.problem ? end : at, removedAt: null };
	return hasAccess && (linkedAt || link?.next === 'link') ? { ...note, expiresAt: end } : note;
};
// n8n goes on only with an item.
return [{ id: 0, linkSentAt: null }, ...rows.flatMap(linkNoteOf), ...rows.flatMap(noteOf)];
