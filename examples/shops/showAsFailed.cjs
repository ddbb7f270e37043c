// A failure ends the execution here. When you press Retry, the notification is read again instead.
const { code, failure, error = 'A node before this one failed.' } = $input.first().json;
if (code === 200) return [];
const { executionId } = $('What the Shop Sends').first(0).json;
if ($execution.id !== executionId) return $('Notification Received').all();
// Class access returns its own failures. Any other one is n8n's, such as "Workflow is not active".
const isCalled = !failure && $('Class access').isExecuted;
const advice = isCalled ? ' Is Class access published, and chosen here? Then select Retry.' : '';
// n8n shows the first line of an error only.
throw new Error((failure ?? error).replaceAll('\n', ' ') + advice);
