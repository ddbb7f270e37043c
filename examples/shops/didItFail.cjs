// A failure ends the execution here, on one line, since n8n shows no other. After Retry, the notification is read again.
const { result, reason, error } = $input.first().json;
if (result && result !== 'failed') return [];
const sent = $('What the Shop Sends').first(0).json;
if ($execution.id !== sent.executionId) return $('Notification Received').all();
const { paymentId = sent.paymentId, email = sent.email } = $('Read Notification').first(0).json;
const cause = String(reason ?? error ?? 'A node before this one failed.').replaceAll('\n', ' ');
const isAbsent = /workflow/i.test(error); // n8n's "Workflow is not active", or "does not exist"
const advice = isAbsent
	? ' Make sure that Class access is published and selected here, then retry.'
	: '';
throw new Error(`Payment ${paymentId || '(unknown)'} of ${email || 'nobody'}: ${cause}${advice}`);
