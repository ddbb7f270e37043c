// Says why a notification failed, and with which status the shop is answered if it has no answer yet.
const { paymentId, email, meaning } = $('Read Notification').first().json;
const errorsOf = (name) =>
	$(name)
		.all()
		.map(({ json }) => json)
		.filter(({ error }) => error);
// To send it again does not help: the node or the service refuses it. Not so for a wrong token, or too many requests.
const isFinal = ({ error }) =>
	/^'(Email|Name|Class)|\(status ([23]\d\d|4(00|04|05|09|1\d|22))\)/.test(error);
const explain = {
	'All Enrolled?': () => [errorsOf('Enroll Buyer'), 'The buyer could not be enrolled.'],
	'Link Sent?': () => [
		errorsOf('Send Sign-In Link'),
		'The buyer is enrolled, but the sign-in link could not be sent.',
	],
	'All Removed?': () => [errorsOf('Remove From Class'), 'The buyer could not be removed.'],
}[$prevNode.name];

const [errors, summary] = explain?.() ?? [[{ error: $input.first().json.problem }]];
const isOver = !summary || errors.every(isFinal);
const isGone =
	$prevNode.name === 'All Removed?' &&
	errors.every(({ error }) => /\(status 4(00|22)\)/.test(error));
const details = errors.map(({ classId, error }) =>
	classId ? `Class ${classId}: ${error}` : error,
);
return {
	answerStatus: meaning === 'forged' ? 403 : isGone ? 200 : isOver ? 422 : 503,
	reason: isOver
		? errors[0].error.split(/ \[item|\. /)[0]
		: `${summary} Send the notification again later.`,
	details: [`Payment ${paymentId} of ${email}:`, ...(summary ? [summary] : []), ...details].join(
		'\n',
	),
	executionId: $execution.id,
};
