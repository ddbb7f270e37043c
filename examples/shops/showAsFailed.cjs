// A failure ends the execution here. When you press Retry, the notification is read again instead.
const { code, failure, error } = $input.first().json;
if (code === 200) return [];
const { executionId } = $('What the Shop Sends').first(0).json;
if ($execution.id !== executionId) return $('Notification Received').all();
// n8n shows the first line of an error only.
throw new Error((failure ?? error ?? 'A node before this one failed.').replaceAll('\n', ' '));
