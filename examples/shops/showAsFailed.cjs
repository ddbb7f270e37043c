// A failure ends the execution here. When you press Retry, the notification is read again instead.
const { result, reason, error } = $input.first().json;
if (result && result !== 'failed') return [];
const { executionId, paymentId, email } = $('What the Shop Sends').first(0).json;
if ($execution.id !== executionId) return $('Notification Received').all();
const cause = reason ?? error ?? 'A node before this one failed.';
// Class access returns its own failures. Any other one is n8n's, such as "Workflow is not active".
const isCalled = !result && $('Class access').isExecuted;
const advice = isCalled ? ' Is Class access published, and chosen here? Then select Retry.' : '';
const text = `Payment ${paymentId || '(unknown)'} of ${email || 'nobody'}: ${cause}${advice}`;
throw new Error(text.replaceAll('\n', ' ')); // n8n shows the first line only
