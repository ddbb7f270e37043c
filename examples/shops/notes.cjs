// Notes what this execution has done, in the rows of its own payment only. What has failed remains open.
const { scope, done } = $input.first().json;
const isRefund = $('What Was Bought').first().json.sale?.status === 'refunded';
const at = new Date().toISOString();
const accesses = scope.flatMap(({ id, key, hasAccess, paymentId }) => {
	const act = done.findLast((act) => act.key === key);
	if (!act) return [];
	if (act.error) return { id, enrolledAt: null };
	return {
		id,
		...(!isRefund && { enrolledAt: at }),
		...(!hasAccess && { removedAt: at }),
		...(hasAccess && paymentId && { expiresAt: act.expiresAt }),
	};
});
const claimed = done.filter(({ next, id }) => next === 'claim' && id);
const links = claimed.map(({ id, email }) => {
	const link = done.find((act) => act.next === 'link' && act.email === email);
	return link && !link.error ? { id, linkSentAt: at } : { id, linkClaimedAt: null };
});
const notes = [...accesses, ...links];
return notes.length > 0 ? notes : { id: 0, linkSentAt: null };
