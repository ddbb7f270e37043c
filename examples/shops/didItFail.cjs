// A failure ends the execution here, on one line, since n8n shows no other. After Retry, the notification is read again.
const { result, reason, error } = $input.first().json;
if (result && result !== 'failed') return [];
const { executionId } = $('What the Shop Sends').first(0).json;
if ($execution.id !== executionId) return $('Notification Received').all();
const { paymentId, email } = $('Read Notification').first(0).json;
const cause = String(reason ?? error ?? 'A node before this one failed.').replaceAll('\n', ' ');
// Class access returns its own failures. Any other one is n8n's, such as "Workflow is not active".
const isCalled = !result && $('Class access').isExecuted;
const advice = isCalled ? ' Is Class access published, and chosen here? Then select Retry.' : '';
throw new Error(`Payment ${paymentId || '(unknown)'} of ${email || 'nobody'}: ${cause}${advice}`);
